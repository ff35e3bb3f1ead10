//! What scales others: HorizontalPodAutoscaler, VerticalPodAutoscaler.

use crate::refs::row::kinds::DEPLOYMENT;
use crate::refs::row::{Block, ROOT, Rows, named, named_or};

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[("autoscaling", "HorizontalPodAutoscaler")],
        at: ROOT,
        rows: Rows::These(&[
            named_or("spec.scaleTargetRef.name", DEPLOYMENT),
            named("spec.metrics[].object.describedObject.name"),
            // v2beta1
            named("spec.metrics[].object.target.name"),
        ]),
    },
    Block {
        kinds: &[("autoscaling.k8s.io", "VerticalPodAutoscaler")],
        at: ROOT,
        rows: Rows::These(&[named_or("spec.targetRef.name", DEPLOYMENT)]),
    },
];
