//! The contract of all dependency types: DESIGN's table written out a second time, and what every type must obey.

use consilience::dependency::{Dependency, DependencyError, DependencyType, Table};
use consilience::sources::Vote;

/// One row a type: its name, how many sources, whether about a class, and φ of (votes, y, class).
type Row = (&'static str, usize, bool, fn(&[Vote], Vote, Vote) -> f64);

fn one(holds: bool) -> f64 {
    if holds { 1.0 } else { 0.0 }
}

const TYPES: &[Row] = &[
    ("class_prior", 0, true, |_, y, c| one(y == c)),
    ("propensity", 1, false, |v, _, _| one(v[0] != 0)),
    ("vote_rate", 1, true, |v, _, c| one(v[0] == c)),
    ("accuracy", 1, false, |v, y, _| match v[0] {
        0 => 0.0,
        v if v == y => 1.0,
        _ => -1.0,
    }),
    ("class_accuracy", 1, true, |v, y, c| match (v[0], y == c) {
        (0, _) | (_, false) => 0.0,
        (v, true) if v == y => 1.0,
        _ => -1.0,
    }),
    ("correlation", 2, false, |v, _, _| one(v[0] == v[1])),
    ("agreement", 2, false, |v, _, _| one(v[0] != 0 && v[0] == v[1])),
    ("class_agreement", 2, true, |v, y, c| one(y == c && v[0] != 0 && v[0] == v[1])),
    ("conjunction", 2, false, |v, y, _| one(v[0] == y && v[1] == y)),
    ("reinforcing", 2, false, |v, y, _| match (v[0], v[1]) {
        (0, l) if l != 0 => -1.0,
        (j, l) => one(j == l && l == y),
    }),
    ("fixing", 2, false, |v, y, _| match (v[0], v[1]) {
        (0, 0) => 0.0,
        (0, _) => -1.0,
        (j, l) => one(j != y && l == y),
    }),
    ("exclusive", 2, false, |v, _, _| if v[0] != 0 && v[1] != 0 { -1.0 } else { 0.0 }),
];

const DIRECTED: &[&str] = &["reinforcing", "fixing"];

#[test]
fn every_type_has_a_row_here() {
    let names: Vec<&str> = TYPES.iter().map(|row| row.0).collect();
    assert_eq!(names, Dependency::TYPES);
}

#[test]
fn every_type_has_the_value_of_the_contract() {
    for &(name, arity, about_class, expected) in TYPES {
        for k in 2..=4 {
            let class = about_class.then_some(2);
            let built_in = Dependency::new(name, &[5, 7][..arity], class).unwrap();
            assert_eq!((built_in.name(), built_in.class()), (name, class));
            check_values(&built_in, arity, k, expected);
            // The same function given as a user's table must pass the same checks.
            let table = Table::from_fn(vec![5, 7][..arity].to_vec(), usize::from(k), |votes, y| {
                expected(votes, y, 2)
            });
            check_values(&table.unwrap().into(), arity, k, expected);
        }
    }
}

fn check_values(dependency: &Dependency, arity: usize, k: Vote, expected: fn(&[Vote], Vote, Vote) -> f64) {
    assert_eq!(dependency.sources(), &[5, 7][..arity]);
    let mut depends_on_class = false;
    for a in 0..=k {
        for b in 0..=k {
            let votes = &[a, b][..arity];
            for y in 1..=k {
                // Adding 0.0 makes -0.0 plain zero.
                let phi = dependency.phi(votes, y) + 0.0;
                assert_eq!(
                    phi.to_bits(),
                    (expected(votes, y, 2) + 0.0).to_bits(),
                    "{dependency} {votes:?} {y}"
                );
                assert!((-1.0..=1.0).contains(&phi), "{dependency}: Theorem 1 needs values within [-1, 1]");
                depends_on_class |= phi.to_bits() != (dependency.phi(votes, 1) + 0.0).to_bits();
            }
        }
    }
    assert_eq!(dependency.reads_class(), depends_on_class, "{dependency}");
}

#[test]
fn renaming_classes_changes_nothing_where_a_type_says_so() {
    let rename = |v: Vote| [0, 3, 1, 2][usize::from(v)];
    for &(name, arity, about_class, _) in TYPES {
        let dependency = Dependency::new(name, &[0, 1][..arity], about_class.then_some(1)).unwrap();
        let mut alike = true;
        for a in 0..=3 {
            for b in 0..=3 {
                for y in 1..=3 {
                    let before = dependency.phi(&[a, b][..arity], y) + 0.0;
                    let after = dependency.phi(&[rename(a), rename(b)][..arity], rename(y)) + 0.0;
                    alike &= before.to_bits() == after.to_bits();
                }
            }
        }
        assert_eq!(dependency.treats_classes_alike(), alike, "{name}");
    }
}

#[test]
fn the_order_of_two_sources_matters_only_where_the_type_is_directed() {
    for &(name, ..) in TYPES.iter().filter(|row| row.1 == 2) {
        let class = (name == "class_agreement").then_some(1);
        let (forth, back) =
            (Dependency::new(name, &[1, 4], class).unwrap(), Dependency::new(name, &[4, 1], class).unwrap());
        assert_eq!(forth != back, DIRECTED.contains(&name), "{name}");
    }
}

#[test]
fn wrong_parts_are_refused_with_a_reason() {
    let text = |result: Result<Dependency, DependencyError>| result.unwrap_err().to_string();
    assert!(
        text(Dependency::new("friendship", &[0, 1], None)).contains("the types are class_prior, propensity")
    );
    for &(name, arity, about_class, _) in TYPES {
        let class = about_class.then_some(1);
        assert!(
            matches!(Dependency::new(name, &[0, 1, 2], class), Err(DependencyError::Arity { got: 3, .. })),
            "{name}"
        );
        let sources = &[0, 1][..arity];
        let turned = if about_class { None } else { Some(1) };
        assert!(
            matches!(Dependency::new(name, sources, turned), Err(DependencyError::Class { .. })),
            "{name}"
        );
        if arity == 2 {
            let twice = Dependency::new(name, &[3, 3], class);
            assert!(matches!(twice, Err(DependencyError::SameSource { .. })), "{name}");
        }
    }
}

#[test]
fn a_table_is_what_its_values_say() {
    let sum = |votes: &[Vote], y: Vote| f64::from(votes.iter().sum::<Vote>() * 10 + y);
    let table = Table::from_fn(vec![2, 0, 1], 3, sum).unwrap();
    assert_eq!(table.sources(), [2, 0, 1]);
    assert_eq!(table.values().len(), 4 * 4 * 4 * 3);
    assert!(table.reads_class());
    assert!((table.phi(&[3, 0, 2], 2) - 52.0).abs() < 1e-12);
    assert!(!Table::from_fn(vec![0], 2, |votes, _| f64::from(votes[0])).unwrap().reads_class());
    assert!(matches!(
        Table::new(vec![0], 2, vec![0.0; 5]),
        Err(DependencyError::TableSize { expected: 6, got: 5, .. })
    ));
    assert!(matches!(Table::new(vec![0, 0], 2, vec![0.0; 18]), Err(DependencyError::SameSource { .. })));
    assert!(matches!(
        Table::new(vec![0], 2, vec![f64::NAN; 6]),
        Err(DependencyError::NotFinite { position: 1, .. })
    ));
    assert!(Table::new(vec![0; 200], 2, vec![]).is_err());
}
