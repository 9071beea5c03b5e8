internal import Foundation
internal import SystemPackage

/// The mounted file systems, from mountinfo (proc(5)).
struct MountTable: Sendable {
  /// A mounted file system.
  struct Mount: Hashable, Sendable {
    /// Combined as by makedev(3).
    let device: UInt64
    /// Such as `ext4`.
    let type: Substring
    let place: String
    /// The number of the mount: one that is mounted again has another.
    let id: Substring
  }

  let mounts: [Mount]

  init() {
    let table = FileManager.default.contents(atPath: "/proc/self/mountinfo") ?? Data()
    mounts = String(decoding: table, as: UTF8.self).split(separator: "\n").compactMap {
      Self.mount($0)
    }
  }

  /// The third field of a line is the device number, the fifth the place, and the type follows a lone hyphen.
  private static func mount(_ line: Substring) -> Mount? {
    let fields = line.split(separator: " ")
    guard let hyphen = fields.firstIndex(of: "-"), hyphen + 1 < fields.count, hyphen > 4 else {
      return nil
    }
    let numbers = fields[2].split(separator: ":").compactMap { UInt64($0) }
    guard numbers.count == 2 else { return nil }
    let (major, minor) = (numbers[0], numbers[1])
    let device =
      (major & 0xFFF) << 8 | minor & 0xFF | (minor & ~0xFF) << 12 | (major & ~0xFFF) << 32
    return Mount(
      device: device, type: fields[hyphen + 1], place: unescaped(fields[4]), id: fields[0])
  }

  /// A path with its octal escapes, such as `\040` for a blank, replaced.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The mounts at and below a folder.
  func mounts(below folder: FilePath) -> Set<Mount> {
    Set(mounts.filter { FilePath($0.place).starts(with: folder) })
  }

  /// The types of file systems whose files can be changed without the kernel's knowledge, by other machines or by the
  /// program that provides them.
  private static let remoteTypes: [String: String] = [
    "nfs": "NFS", "nfs4": "NFS", "cifs": "SMB", "smb3": "SMB", "smbfs": "SMB", "9p": "9p",
    "ceph": "Ceph", "afs": "AFS", "coda": "Coda", "lustre": "Lustre", "vboxsf": "vboxsf",
    "vmhgfs": "vmhgfs", "virtiofs": "virtiofs", "gfs2": "GFS2", "ocfs2": "OCFS2",
    "beegfs": "BeeGFS", "gpfs": "GPFS", "davfs": "WebDAV", "orangefs": "OrangeFS",
  ]

  /// The type of a device's file system if the kernel does not report all changes in it; nil for others.
  func remoteType(of device: UInt64) -> String? {
    guard let type = mounts.last(where: { $0.device == device })?.type else { return nil }
    return type.hasPrefix("fuse") ? "FUSE" : Self.remoteTypes[String(type)]
  }
}
