//! The arithmetic of weights, row by row.
