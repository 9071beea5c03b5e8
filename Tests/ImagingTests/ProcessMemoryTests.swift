import Imaging
import Testing

/// The memory that a process has for photos.
@Suite struct ProcessMemoryTests {
  /// `/proc/PID/cgroup`, files with limits, and the limit that counts.
  private static let groups: [(table: String, files: [String: String], limit: Int?)] = [
    ("0::/system/leaflog\n", ["/system/leaflog/memory.max": "268435456\n"], 268_435_456),
    ("0::/a\n", ["/a/memory.max": "9\n", "/a/memory.high": "8\n"], 8),
    ("0::/a/b\n", ["/a/b/memory.max": "max\n", "/a/memory.max": "9\n"], 9),
    // In a container, of whose path on the host there is nothing.
    ("0::/docker/0123\n", ["/memory.max": "500000000\n"], 500_000_000),
    ("0::/../other\n", ["/memory.max": "7\n", "/other/memory.max": "3\n"], 7),
    (
      "5:cpu,memory:/leaf\n0::/\n", ["/memory/leaf/memory.limit_in_bytes": "268435456\n"],
      268_435_456
    ),
    (
      "4:memory:/leaf\n",
      [
        "/memory/leaf/memory.limit_in_bytes": "9223372036854771712\n",
        "/memory/memory.limit_in_bytes": "600000000\n",
      ], 600_000_000
    ),
    ("0::/\n", [:], nil), ("", ["/memory.max": "7\n"], nil),
    ("memory\n1:memory\n", ["/memory/memory.limit_in_bytes": "7\n"], nil),
    ("0::/a\n", ["/a/memory.max": "-\n"], nil),
  ]

  @Test(arguments: groups)
  func `the lowest limit of the control groups counts`(
    table: String, files: [String: String], limit: Int?
  ) {
    let groups = ControlGroups(table) { path in
      files[String(path.dropFirst("/sys/fs/cgroup".count))]
    }
    #expect(groups.memoryLimit == limit)
  }

  @Test(arguments: [
    (256_000_000, Int.max, 156_000_000), (Int.max, 1_000_000_000, 650_000_000),
    (512_000_000, 512_000_000, 284_000_000), (1, Int.max, 28_000_000), (0, 1, 28_000_000),
    (Int.min, 0, 28_000_000),
  ])
  func `the program's own memory and a quarter of the machine stay free`(
    byteCount: Int, machine: Int, forPhotos: Int
  ) {
    #expect(ProcessMemory.forPhotos(of: byteCount, machine: machine) == forPhotos)
  }

  @Test func `no limit of photos is above the memory, nor above what it is with enough`() {
    let (small, large) = (ImageLimits(memory: 156_000_000), ImageLimits(memory: .max))
    #expect(small.maxWorkingByteCount == 156_000_000)
    #expect(small.maxProgressiveWorkingByteCount == 78_000_000)
    #expect(small.maxReducedByteCount == 156_000_000)
    #expect(small.maxPackingByteCount == 156_000_000)
    #expect(large.maxWorkingByteCount == 440_000_000)
    #expect(large.maxProgressiveWorkingByteCount == 220_000_000)
    #expect(large.maxReducedByteCount == 530_000_000)
    #expect(
      ImageLimits(fileByteCount: 600_000_000, memory: .max).maxReducedByteCount == 630_000_000)
    #expect(
      ImageLimits(fileByteCount: 600_000_000, memory: 156_000_000).maxReducedByteCount
        == 156_000_000)
  }
}
