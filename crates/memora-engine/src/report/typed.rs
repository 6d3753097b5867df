//! Reports are typed for the door whose view they were made with: [`ForDoor`].

use std::marker::PhantomData;

use memora_memory::{Domain, Kind, Origin, Refusal};
use memora_redact::{Door, DoorView, WireClaim};
use memora_vault::Band;

use crate::report::Freshness;

/// A report that is typed for the door whose view it was made with.
pub(crate) trait ForDoor {
    /// It, typed.
    type At<D: Door>;

    /// Types it.
    fn for_door<D: Door>(self, door: &D) -> Self::At<D>;
}

/// Implements [`ForDoor`] for a report: the first fields are typed, the others are kept.
macro_rules! for_door {
    ($report:ident { $($typed:ident),+ } keeping { $($kept:ident),* }) => {
        impl $crate::report::typed::ForDoor for $report {
            type At<D: memora_redact::Door> = $report<D>;

            fn for_door<D: memora_redact::Door>(self, door: &D) -> $report<D> {
                let Self { $($typed,)+ $($kept),* } = self;
                $report { $($typed: $crate::report::typed::ForDoor::for_door($typed, door),)+ $($kept),* }
            }
        }
    };
}
pub(crate) use for_door;

/// Defines a report that is typed for a door: each of its fields is, as far as it has words of notes. All of them are public.
macro_rules! door_report {
    ($($(#[$meta:meta])* $report:ident { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })*) => { $(
        #[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
        #[serde(bound = "D: memora_redact::Door")]
        $(#[$meta])*
        pub struct $report<D = memora_redact::DoorView> {
            $($(#[$field_meta])* pub $field: $type,)*
            #[serde(skip)]
            pub(crate) door: std::marker::PhantomData<D>,
        }

        impl $crate::report::typed::ForDoor for $report {
            type At<D: memora_redact::Door> = $report<D>;

            fn for_door<D: memora_redact::Door>(self, door: &D) -> $report<D> {
                let typed = std::marker::PhantomData;
                $report { $($field: $crate::report::typed::ForDoor::for_door(self.$field, door),)* door: typed }
            }
        }
    )* };
}
pub(crate) use door_report;

/// Implements [`ForDoor`] for what has no words of notes that a door could withhold, and so stays as it is.
macro_rules! kept_for_doors {
    ($($kept:ty),+ $(,)?) => { $(
        impl $crate::report::typed::ForDoor for $kept {
            type At<D: memora_redact::Door> = Self;

            fn for_door<D: memora_redact::Door>(self, _: &D) -> Self {
                self
            }
        }
    )+ };
}
pub(crate) use kept_for_doors;

kept_for_doors! { bool, f64, u32, usize, &'static str, String, (String, Band), Band, Domain, Kind, Origin, Refusal, Freshness }

impl ForDoor for WireClaim {
    type At<D: Door> = WireClaim<D>;

    fn for_door<D: Door>(self, door: &D) -> WireClaim<D> {
        Self::for_door(self, door)
    }
}

impl ForDoor for PhantomData<DoorView> {
    type At<D: Door> = PhantomData<D>;

    fn for_door<D: Door>(self, _: &D) -> PhantomData<D> {
        PhantomData
    }
}

impl<R: ForDoor> ForDoor for Vec<R> {
    type At<D: Door> = Vec<R::At<D>>;

    fn for_door<D: Door>(self, door: &D) -> Vec<R::At<D>> {
        self.into_iter().map(|report| report.for_door(door)).collect()
    }
}

impl<R: ForDoor> ForDoor for Option<R> {
    type At<D: Door> = Option<R::At<D>>;

    fn for_door<D: Door>(self, door: &D) -> Option<R::At<D>> {
        self.map(|report| report.for_door(door))
    }
}

impl<R: ForDoor, E> ForDoor for Result<R, E> {
    type At<D: Door> = Result<R::At<D>, E>;

    fn for_door<D: Door>(self, door: &D) -> Result<R::At<D>, E> {
        self.map(|report| report.for_door(door))
    }
}

/// A list, and whether there are more.
impl<R: ForDoor> ForDoor for (Vec<R>, bool) {
    type At<D: Door> = (Vec<R::At<D>>, bool);

    fn for_door<D: Door>(self, door: &D) -> (Vec<R::At<D>>, bool) {
        (self.0.for_door(door), self.1)
    }
}
