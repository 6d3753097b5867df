//! Why a vault cannot be watched.

use std::path::Path;

use crate::Hint;

/// Why changes may be missed, so that a vault is walked every few seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchLimitation {
    /// The user asked for polling.
    PollRequested,
    /// The system's limit of watched folders for this user is reached.
    FolderLimit,
    /// The system's limit of watch instances for this user is reached.
    InstanceLimit,
    /// The vault lies on a file system that is written elsewhere and sends no events for that.
    Remote {
        /// The file system's name, such as `nfs4`.
        system: String,
    },
    /// The vault's folder does not exist.
    FolderMissing,
    /// The system refuses for another reason.
    Refused,
}

/// File systems that are written elsewhere, as `/proc/self/mountinfo` names them.
const REMOTE_FILE_SYSTEMS: [&str; 17] = [
    "9p",
    "afs",
    "ceph",
    "cifs",
    "coda",
    "drvfs",
    "fuse.gcsfuse",
    "fuse.google-drive-ocamlfuse",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "fuse.vmhgfs-fuse",
    "nfs",
    "nfs4",
    "smb3",
    "vboxsf",
    "virtiofs",
];

impl WatchLimitation {
    pub(super) fn from_error(error: &notify::Error) -> Self {
        // Too many open files, of the process or of the system.
        const EMFILE: i32 = 24;
        const ENFILE: i32 = 23;
        match &error.kind {
            notify::ErrorKind::MaxFilesWatch => Self::FolderLimit,
            notify::ErrorKind::PathNotFound => Self::FolderMissing,
            notify::ErrorKind::Io(error) if matches!(error.raw_os_error(), Some(EMFILE | ENFILE)) => {
                Self::InstanceLimit
            }
            _ => Self::Refused,
        }
    }

    /// Detects a file system that is written elsewhere, as far as the system tells.
    pub(super) fn detect_remote(root: &Path) -> Option<Self> {
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
        let system = find_file_system(&mounts, root)?;
        REMOTE_FILE_SYSTEMS.contains(&system).then(|| Self::Remote { system: system.to_owned() })
    }

    /// A stable name for machines.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::PollRequested => "asked",
            Self::FolderLimit => "limit",
            Self::InstanceLimit => "instances",
            Self::Remote { .. } => "remote",
            Self::FolderMissing => "gone",
            Self::Refused => "refused",
        }
    }

    /// What it means.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::PollRequested => "the vault is walked every few seconds".to_owned(),
            Self::FolderLimit => {
                "the system watches no more folders, so the vault is walked every few seconds".to_owned()
            }
            Self::InstanceLimit => {
                "the system begins no more watches, so the vault is walked every few seconds".to_owned()
            }
            Self::Remote { system } => format!(
                "the vault lies on {system}, where changes made elsewhere go unheard, so it is walked every few seconds"
            ),
            Self::FolderMissing => "the vault's folder is not there; it is looked for every few seconds".to_owned(),
            Self::Refused => "the vault cannot be watched, so it is walked every few seconds".to_owned(),
        }
    }
}

impl Hint for WatchLimitation {
    fn hint(&self) -> &'static str {
        match self {
            Self::PollRequested => "",
            Self::FolderLimit => "sudo sysctl fs.inotify.max_user_watches=524288, and a line of it in /etc/sysctl.d",
            Self::InstanceLimit => "sudo sysctl fs.inotify.max_user_instances=1024, or close programs that watch files",
            Self::Remote { .. } => "run memora watch on the machine that has the files",
            Self::FolderMissing => "mount it, or end this with Ctrl-C",
            Self::Refused => "MEMORA_LOG=debug tells more",
        }
    }
}

/// The file system of a path: of the nearest mount above it, and of equal ones the last.
fn find_file_system<'m>(mounts: &'m str, path: &Path) -> Option<&'m str> {
    let mut best: Option<(usize, &str)> = None;
    for line in mounts.lines() {
        let Some((mount, rest)) = line.split_once(" - ") else { continue };
        let (Some(at), Some(system)) = (mount.split(' ').nth(4), rest.split(' ').next()) else { continue };
        let at = unescape_octal(at);
        if path.starts_with(&at) && best.is_none_or(|(length, _)| length <= at.len()) {
            best = Some((at.len(), system));
        }
    }
    best.map(|(_, system)| system)
}

/// Unescapes white space and backslashes, written there as octal numbers.
fn unescape_octal(text: &str) -> String {
    let pairs = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    pairs.iter().fold(text.to_owned(), |text, (escaped, plain)| text.replace(escaped, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:26 / /mnt/c rw,noatime - 9p C:\\134 rw,dirsync
31 22 0:27 / /home/me/My\\040Share rw shared:9 master:3 - cifs //nas/me rw
32 22 0:28 / /home/me/Notes rw - ext4 /dev/sdb1 rw
33 32 0:29 / /home/me/Notes rw - fuse.sshfs nas: rw
not a line of it";

    #[track_caller]
    fn check(path: &str, system: &str) {
        assert_eq!(find_file_system(MOUNTS, Path::new(path)), Some(system), "{path}");
    }

    #[test]
    fn a_path_lies_on_the_nearest_mount_above_it() {
        check("/home/me/vault", "ext4");
        check("/mnt/c/Users/me/vault", "9p");
        check("/mnt/cold", "ext4");
        check("/home/me/My Share/vault", "cifs");
        check("/home/me/Notes", "fuse.sshfs");
        assert_eq!(find_file_system("", Path::new("/")), None);
        assert_eq!(find_file_system("\n\u{0} - \n - x", Path::new("/")), None);
    }

    #[test]
    fn a_limit_of_the_system_is_told_from_other_errors() {
        let io = |code| notify::Error::io(std::io::Error::from_raw_os_error(code));
        assert_eq!(
            WatchLimitation::from_error(&notify::Error::new(notify::ErrorKind::MaxFilesWatch)),
            WatchLimitation::FolderLimit
        );
        assert_eq!(WatchLimitation::from_error(&io(24)), WatchLimitation::InstanceLimit);
        assert_eq!(WatchLimitation::from_error(&io(5)), WatchLimitation::Refused);
        for blind in [
            WatchLimitation::FolderLimit,
            WatchLimitation::InstanceLimit,
            WatchLimitation::Remote { system: "nfs".to_owned() },
            WatchLimitation::FolderMissing,
        ] {
            assert!(!blind.message().is_empty() && !blind.hint().is_empty() && !blind.code().is_empty());
        }
    }
}
