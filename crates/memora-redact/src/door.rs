//! The two kinds of door, and what the inside knows of one.

use memora_vault::Band;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::LocalDoor {}
    impl Sealed for super::CloudDoor {}
    impl Sealed for super::DoorView {}
}

/// Whoever text is authorized for: a door, or the view of one. Sealed: only the three below exist.
pub trait Viewer: sealed::Sealed + Clone + std::fmt::Debug + 'static {
    /// Returns what it may see.
    fn view(&self) -> DoorView;

    /// Whether text of this band may pass.
    fn may_show(&self, band: Band) -> bool {
        band <= self.strictest_band()
    }

    /// Returns the strictest band that may pass.
    fn strictest_band(&self) -> Band {
        self.view().ceiling
    }

    /// Whether the guarded index may be searched, and counts may cover everything.
    fn is_local(&self) -> bool {
        self.view().local
    }
}

/// A channel through which text leaves the process: a [`Viewer`] that reads. Only what is typed for a door can be serialized
/// or sent.
pub trait Door: Viewer {}

impl Door for LocalDoor {}
impl Door for CloudDoor {}

/// What the stages behind the doors know of one: what it may see, not where it leads.
///
/// What is authorized for a view cannot leave the process; [`ClearClaim::for_door`](crate::ClearClaim::for_door) and its like
/// turn it into what a door of the same view may pass. The only constructor is [`Viewer::view`] of a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoorView {
    ceiling: Band,
    local: bool,
}

impl Viewer for DoorView {
    fn view(&self) -> Self {
        *self
    }
}

/// The user's own eyes: a terminal, or output that the user declared local.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalDoor;

impl Viewer for LocalDoor {
    fn view(&self) -> DoorView {
        DoorView { ceiling: Band::Secret, local: true }
    }
}

/// Any other destination: a pipe, a file, another program, a remote model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CloudDoor {
    sees: CloudVisibility,
}

/// The strictest band that the user's configuration lets a cloud door see. Secret text is never an option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CloudVisibility {
    /// Public text only.
    #[default]
    Public,
    /// Private text too.
    Private,
}

impl CloudDoor {
    /// Creates a cloud door as the user's own configuration defines it.
    #[must_use]
    pub fn new(sees: CloudVisibility) -> Self {
        Self { sees }
    }
}

impl Viewer for CloudDoor {
    fn view(&self) -> DoorView {
        let ceiling = match self.sees {
            CloudVisibility::Public => Band::Public,
            CloudVisibility::Private => Band::Private,
        };
        DoorView { ceiling, local: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cloud_door_shows_a_secret() {
        for sees in [CloudVisibility::Public, CloudVisibility::Private] {
            assert!(!CloudDoor::new(sees).may_show(Band::Secret));
            assert!(CloudDoor::new(sees).may_show(Band::Public));
        }
        assert!(!CloudDoor::default().may_show(Band::Private));
        assert!(LocalDoor.may_show(Band::Secret));
    }

    #[test]
    fn a_door_is_what_it_shows_at_most() {
        let private = CloudDoor::new(CloudVisibility::Private);
        assert_eq!(CloudDoor::default().strictest_band(), Band::Public);
        assert_eq!(private.strictest_band(), Band::Private);
        assert_eq!(LocalDoor.strictest_band(), Band::Secret);
        assert!(LocalDoor.is_local() && !CloudDoor::default().is_local() && !private.is_local());
    }
}
