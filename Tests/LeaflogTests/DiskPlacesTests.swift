import Foundation
import Leaflog
import SystemPackage
import TestSupport
import Testing

/// Places at which disks are mounted, or would be.
@Suite struct DiskPlacesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String {
    FilePath(folder.file(name)).resolvedAsFarAsThere.string
  }

  /// - Parameters:
  ///   - mounted: the names of folders at which something is mounted, besides the root.
  ///   - table: lines of fstab, with `DIR` for the folder of the test.
  private func places(mounted: [String] = [], _ table: String = "") -> DiskPlaces {
    let places = ["/"] + mounted.map { path($0).replacing(" ", with: "\\040") }
    let mounts = places.map { "36 35 98:0 / \($0) rw,noatime - ext4 /dev/sda1 rw" }
    return DiskPlaces(
      mounts: MountTable(mounts.joined(separator: "\n")),
      table: table.replacing("DIR", with: path("")))
  }

  @Test func `a disk in fstab that is not mounted is missing at and below its place`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("my disk"), withIntermediateDirectories: true)
    let table = """
      # a comment
      UUID=1 / ext4 defaults 0 1
      UUID=2 none swap sw 0 0

      UUID=3\tDIR/my\\040disk\text4\tnofail,x-systemd.automount\t0\t2
      """
    let away = places(table)
    let disk = FilePath(path("my disk"))
    #expect(away.missingDisk(at: disk) == disk)
    #expect(away.missingDisk(at: FilePath(folder.file("my disk/photos/library"))) == disk)
    #expect(away.missingDisk(at: FilePath(folder.file("my disk 2/library"))) == nil)
    #expect(away.missingDisk(at: FilePath(folder.file("library"))) == nil)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("my disk"))
    #expect(away.missingDisk(at: FilePath(folder.file("link/library"))) == disk)
    let there = places(mounted: ["my disk"], table)
    #expect(there.missingDisk(at: FilePath(folder.file("my disk/library"))) == nil)
  }

  @Test func `an empty folder is where a disk is away, unless something is mounted there`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("usb"), withIntermediateDirectories: true)
    let empty = FilePath(path("usb"))
    for name in ["usb", "usb/library", "usb/photos/library"] {
      #expect(places().emptyFolder(for: FilePath(folder.file(name))) == empty, "\(name)")
      #expect(places(mounted: ["usb"]).emptyFolder(for: FilePath(folder.file(name))) == nil)
    }
    try folder.write(Data(), to: "usb/a.txt")
    #expect(places().emptyFolder(for: FilePath(folder.file("usb/library"))) == nil)
    #expect(places().emptyFolder(for: FilePath(folder.file("library"))) == nil)
  }

  @Test func `a network share is known by the place of its mount`() {
    let table = """
      21 1 8:1 / / rw - ext4 /dev/sda1 rw
      22 21 0:50 / /mnt/nas rw - nfs4 nas:/export rw
      23 22 8:17 / /mnt/nas/usb rw - exfat /dev/sdb1 rw
      24 21 0:51 / /mnt/win rw - cifs //win/share rw
      25 21 0:52 / /mnt/ssh rw - fuse.sshfs pi:/home rw
      26 21 0:53 / /mnt/ntfs rw - fuseblk /dev/sdc1 rw
      27 21 0:54 / /mnt/pool rw - fuse.mergerfs a:b rw
      28 21 0:55 / /mnt/over rw - nfs nas:/old rw
      29 28 8:33 / /mnt/over rw - btrfs /dev/sdd1 rw
      """
    let places = DiskPlaces(mounts: MountTable(table), table: "")
    let shares = [
      "/srv": nil, "/mnt/nas": "NFS", "/mnt/nas/a/library": "NFS", "/mnt/nas/usb/library": nil,
      "/mnt/nas2/library": nil, "/mnt/win/library": "SMB", "/mnt/ssh/library": "sshfs",
      "/mnt/ntfs/library": nil, "/mnt/pool/library": nil, "/mnt/over/library": nil,
    ]
    for (path, share) in shares {
      #expect(places.networkShare(at: FilePath(path)) == share, "\(path)")
    }
  }
}
