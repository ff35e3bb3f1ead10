use super::*;
use crate::finding::Threshold;
use crate::source::Limits;

/// Files of an input with the values of a text; what they print, and what there is to say.
struct Outcome {
    printed: Vec<String>,
    said: String,
    away: bool,
    code: u8,
}

fn render(files: &[(&str, &str)], values: &str, change: impl FnOnce(&mut Limits)) -> Outcome {
    let mut sources = SourceMap::default();
    for (path, text) in files {
        let mut file = SourceFile::new(*path, *text);
        let is_template = path.ends_with(".yaml.tera") && !path.rsplit('/').next().unwrap().starts_with('_');
        file.role = if is_template { Role::Template } else { Role::Partial };
        sources.add(file);
    }
    let mut file = SourceFile::new("values.yaml", values);
    file.role = Role::Tool;
    let file = sources.add(file);
    let (mut set, mut found) = (Values::default(), Findings::default());
    let mut settings = Settings::default();
    change(&mut settings.limits);
    set.merge(values, file, &settings.limits, &mut found);
    let away = expand(&mut sources, &set, &settings, &mut found).is_err();
    let said = found.sorted().into_iter().map(|finding| {
        let at = finding.labels.iter().map(|label| {
            let place = sources.written(label.place);
            format!(" {}:{}", sources.path(place.file), sources.line_column(place))
        });
        format!("{}{}: {}\n", finding.rule.id, at.collect::<String>(), finding.message)
    });
    let printed = sources.iter().filter(|(_, file)| file.role == Role::Manifests);
    Outcome {
        said: said.collect(),
        printed: printed.map(|(_, file)| file.text().to_owned()).collect(),
        away,
        code: found.exit_code(Threshold::Never),
    }
}

/// What one template prints, which must be right.
#[track_caller]
fn printed(template: &str, values: &str) -> String {
    let outcome = render(&[("a.yaml.tera", template)], values, |_| {});
    assert_eq!(outcome.said, "");
    outcome.printed.concat()
}

/// What there is to say about one template.
fn said(template: &str, values: &str) -> String {
    render(&[("a.yaml.tera", template)], values, |_| {}).said
}

#[test]
fn mappings_are_gone_through_in_the_order_of_the_file() {
    let values = "m: {z: 1, a: 2, m: 3, b: 4, x: 5, c: 6}\n";
    for _ in 0..3 {
        assert_eq!(printed("{% for k, v in m %}{{ k }}{{ v }}{% endfor %}", values), "z1a2m3b4x5c6");
    }
}

#[test]
fn what_has_no_value_is_an_error_wherever_it_is_printed() {
    for (template, message) in [
        ("{{ x }}", "TG601 a.yaml.tera:1:4: variable `x` is not defined\n"),
        ("\n  {{ a.x }}", "TG601 a.yaml.tera:2:8: field `x` is not defined\n"),
        ("{{ a.n }}", "TG601 a.yaml.tera:1:6: field `n` is not defined\n"),
        ("{% for i in l %}{{ i }}{% endfor %}", "TG601 a.yaml.tera:1:20: variable `i` is not defined\n"),
        ("{{ l[1] }}", "TG601 a.yaml.tera:1:4: tried to render a variable that is undefined\n"),
        ("{{ a | nope }}", "TG601 a.yaml.tera:1:8: unknown filter `nope`\n"),
        ("{{ a.", "TG601 a.yaml.tera:1:5: unexpected end of input\n"),
        ("{% include \"b\" %}", "TG601 a.yaml.tera:1:12: unknown template `b`\n"),
    ] {
        assert_eq!(said(template, "a: {b: 1, n: null}\nl: [1, null]\n"), message, "{template}");
    }
    assert_eq!(printed("{{ a.x | default(value=1) }}{{ a.n | default(value=2) }}", "a: {n: null}\n"), "12");
}

/// Tera cannot be told to refuse this; the names at the top are told apart by tidegate.
#[test]
fn a_condition_takes_what_has_no_value_for_false_and_that_is_said() {
    assert_eq!(
        said("{% if feture %}a: 1{% endif %}", "feature: true\n"),
        "TG604 a.yaml.tera:1:7: no value is given for `feture`: a condition takes it for false\n"
    );
    // below the top nobody can tell it from what may be absent
    assert_eq!(printed("{% if a.feture %}a: 1{% endif %}", "a: {feature: true}\n"), "");
    for guarded in [
        "{% if x is defined and x %}{% endif %}",
        "{% if x is not defined %}{% endif %}",
        "{% if x | default(value=false) %}{% endif %}",
        "{% if x %}{% endif %}{% if x is defined %}{% endif %}",
        "{% for x in [1] %}{% if x %}{% endif %}{% endfor %}",
    ] {
        assert_eq!(printed(guarded, ""), "", "{guarded}");
    }
}

#[test]
fn strings_that_yaml_reads_as_something_else_are_said() {
    let values = "v: '1.10'\nw: 'yes'\ni: 3\ns: text\n";
    assert_eq!(
        said(
            "a: {{ v }}\nb:\n- {{ w }}\n- {{ i }}\nc: {{ s }}\nd: {{ v | yaml }}\ne: \"{{ v }}\"\nf: x-{{ v }}\n",
            values
        ),
        "TG605 a.yaml.tera:1:4: a string is printed here without quotes, and YAML reads it as a number\n\
         TG605 a.yaml.tera:3:3: a string is printed here without quotes, and YAML reads it as a boolean\n"
    );
}

#[test]
fn templates_see_those_of_the_same_input_and_nothing_else() {
    let files = [
        ("k/a.yaml.tera", "{% include \"k/_b.yaml.tera\" %}{{<c name=\"x\" />}}"),
        ("k/_b.yaml.tera", "b: 1\n"),
        ("k/c.tera", "{% component c(name) %}c: {{ name }}{% endcomponent %}"),
    ];
    assert_eq!(render(&files, "", |_| {}).printed, ["b: 1\nc: x"]);
    for path in ["/etc/passwd", "../secret.tera", "a.yaml.tera/../b", "file:///etc/passwd"] {
        let outcome = said(&format!("{{% include \"{path}\" %}}"), "");
        assert!(outcome.contains("unknown template"), "{path}: {outcome}");
    }
    let circle = said("{% include \"a.yaml.tera\" %}", "");
    assert!(circle.starts_with("TG601") && circle.contains("includes itself"), "{circle}");
}

#[test]
fn no_value_stands_in_a_message() {
    let values = "secret: hunter2\nport: 4711\n";
    for template in [
        "{{ throw(message=secret) }}",
        "{{ throw(message=\"bad: \" ~ secret) }}",
        "{{ secret | int }}",
        "{{ secret | float }}",
        "{{ {\"a\": 1} | get(key=secret) }}",
        "{{ secret + 1 }}",
        "{{ port ** 999 }}",
        "{{ port // 0 }}",
        "{{ 5 | round(method=secret) }}",
        "{{ [{\"a\": 1}] | sort(attribute=secret) }}",
        "{{ secret | b64decode }}",
        "{{ secret.x }}",
        "{{ secret is odd }}",
        "{{ nope }}",
        "a: {{ secret }}\nb: [",
    ] {
        let said = said(template, values);
        assert!(!said.contains("hunter2") && !said.contains("4711"), "{template}: {said}");
    }
    assert_eq!(
        said("{{ throw(message=\"set a size\") }}", ""),
        "TG601 a.yaml.tera:1:4: the template gives up: set a size\n"
    );
}

#[test]
fn what_templates_take_is_counted() {
    let loops = "{% for a in range(end=1000) %}{% for b in range(end=1000) %}{% endfor %}{% endfor %}";
    let outcome = render(&[("a.yaml.tera", loops)], "", |limits| limits.template_items = 10_000);
    assert_eq!(
        outcome.said,
        "TG602 a.yaml.tera:1:1: the template goes over more numbers of `range` than a run may (limit `template-items`)\n"
    );
    assert_eq!((outcome.code, outcome.away), (3, false));
    for template in [
        "{% for a in range(end=1000) %}{{ a }} a line that is printed again and again\n{% endfor %}",
        "{{ \"aaaaaaaaaa\" | replace(from=\"a\", to=\"bbbbbbbbbbbbbbbbbbbb\") | replace(from=\"b\", to=t) }}",
        "{% for a in range(end=1000) %}{% set x = t | b64encode %}{% endfor %}",
    ] {
        let values = format!("t: {}\n", "x".repeat(100));
        let outcome = render(&[("a.yaml.tera", template)], &values, |limits| limits.template_bytes = 10_000);
        assert!(outcome.said.contains("(limit `template-bytes`)"), "{template}: {}", outcome.said);
    }
}

/// Nothing counts loops over lists; a thread goes on until the process ends, so this one is short.
#[test]
fn what_nobody_counts_ends_by_the_clock() {
    let line = "{% for a in l %}".repeat(8) + &"{% endfor %}".repeat(8);
    let outcome =
        render(&[("a.yaml.tera", &line)], "l: [1, 2, 3, 4, 5, 6, 7, 8]\n", |limits| limits.template_seconds = 0);
    assert_eq!(outcome.said, "TG602 a.yaml.tera:1:1: the templates are not rendered within 0 s\n");
    assert!(outcome.away && outcome.code == 3);
}

#[test]
fn a_value_may_be_as_deep_as_memory_allows() {
    let deep = "{% set_global x = [1] %}{% for i in range(end=100000) %}{% set_global x = [x] %}{% endfor %}";
    assert_eq!(printed(deep, ""), "");
    let outcome = said(&format!("{deep}{{{{ x | json }}}}"), "");
    assert!(outcome.contains("too many lists and mappings"), "{outcome}");
}

#[test]
fn places_lead_through_loops_filters_and_blanks_that_are_taken_away() {
    let template =
        "a:\n{%- for i in l %}\n  - {{ i }}\n{%- endfor %}\n{% filter upper %}b: {{ s }}{% endfilter %}\nc: 1\n";
    let mut sources = SourceMap::default();
    let mut file = SourceFile::new("a.yaml.tera", template);
    file.role = Role::Template;
    sources.add(file);
    let mut values = Values::default();
    values.set("l={x,y},s=q").unwrap();
    let (settings, mut found) = (Settings::default(), Findings::default());
    expand(&mut sources, &values, &settings, &mut found).unwrap();
    let (id, made) = sources.iter().last().unwrap();
    assert_eq!(made.text(), "a:\n  - x\n  - y\nB: Q\nc: 1\n");
    let at = |needle: &str| {
        let start = made.text().find(needle).unwrap();
        let place = sources.written(Place { file: id, start, end: start + 1 });
        sources.line_column(place).to_string()
    };
    assert_eq!((at("a"), at("x"), at("y"), at("c")), ("1:1".into(), "3:5".into(), "3:5".into(), "6:1".into()));
}
