// swift-tools-version: 6.3
import PackageDescription

// For tests and commands, which are compiled in half the time; the library that they call is optimised.
let unoptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// For what the library does without.
let ofService = TargetDependencyCondition.when(traits: ["Service"])

let package = Package(
  name: "leaflog",
  products: [
    .library(name: "Leaflog", targets: ["Leaflog"]),
    .executable(name: "leaflog", targets: ["LeaflogProgram"]),
  ],
  traits: [
    .trait(
      name: "Service",
      description:
        "The program `leaflog`: the commands, the service and its pages. The library needs none of it."
    ),
    .default(enabledTraits: ["Service"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", .upToNextMinor(from: "1.35.2")),
    .package(url: "https://github.com/apple/swift-nio-ssl", .upToNextMinor(from: "2.37.6")),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    // Not for configuration. Of two traits, SwiftPM names now the one and now the other first, and compiles all of it anew.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.1"),
      traits: ["FullFoundation"]),
    .package(
      url: "https://github.com/hummingbird-project/swift-mustache", .upToNextMinor(from: "2.1.1")),
    .package(
      url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")
    ),
  ],
  targets: [
    .systemLibrary(name: "CJXL", providers: [.apt(["libjxl-dev"])]),
    .systemLibrary(name: "CJPEG", providers: [.apt(["libjpeg62-turbo-dev"])]),
    .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CFileSystem"),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSQLiteSession", providers: [.apt(["libsqlite3-dev"])]),
    // Without their .pc files, which name libraries that CLazyLibraries loads; the headers are where the compiler looks, or
    // their shim.h declares what is used.
    .systemLibrary(name: "CChafa", providers: [.apt(["libchafa-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CQRencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CPango", providers: [.apt(["libpango1.0-dev"])]),
    // With its own way to GLib's headers, which include/glibconfig.h tells.
    .target(name: "CVips", sources: ["empty.c"]),
    // The libraries that pictures, text and the network need, loaded by the first call of a function of theirs.
    .target(name: "CLazyLibraries"),
    // libcrypto's SHA-256, certificates and encryption of push messages.
    .target(name: "COpenSSL", dependencies: ["CLazyLibraries"]),
    .target(name: "Hashing", dependencies: ["COpenSSL"]),
    .target(name: "CCoefficients"),
    .target(name: "Fields"),
    .target(name: "DiaryModel", dependencies: ["Fields"]),
    .target(
      name: "Imaging",
      dependencies: [
        "CCoefficients", "CLazyLibraries", "CVips", "CJXL", "CJPEG", "CExpat", "CZlib",
        "DiaryModel",
      ]),
    .target(
      name: "HTTPTransfer",
      dependencies: [
        "CCurl", "CLazyLibraries", "DiaryModel", "Hashing",
      ]),
    .target(
      name: "BlobStorage",
      dependencies: [
        "CExpat", "CFileSystem", "DiaryModel", "HTTPTransfer", "Hashing",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .target(
      name: "Journal",
      dependencies: [
        "BlobStorage", "DiaryModel", "Hashing",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .target(
      name: "DiaryCatalog",
      dependencies: [
        "BlobStorage", "CSQLiteSession", "DiaryModel", "Fields", "Journal",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    // The words of pages and reports. SwiftPM would take `Words` for a resource.
    .target(
      name: "Language", dependencies: ["DiaryModel"], exclude: ["Words"], plugins: ["EmbedFiles"]),
    .target(name: "Reports", dependencies: ["CLazyLibraries", "CPango", "DiaryModel", "Language"]),
    .target(
      name: "Leaflog",
      dependencies: [
        "CFileSystem", "DiaryModel", "Fields", "HTTPTransfer", "Hashing", "Imaging", "BlobStorage",
        "Journal", "DiaryCatalog", "Language", "Reports",
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .executableTarget(name: "FileEmbedder"),
    .plugin(
      name: "EmbedFiles", capability: .buildTool(), dependencies: ["FileEmbedder"],
      path: "Sources/EmbedFiles"),
    .target(
      name: "Pages",
      dependencies: [
        "Fields", "Hashing", "Language", "Leaflog",
        .product(name: "Mustache", package: "swift-mustache", condition: ofService),
      ],
      exclude: ["Assets", "Templates"], plugins: ["EmbedFiles"]),
    .target(
      name: "LeaflogServer",
      dependencies: [
        "CLazyLibraries", "COpenSSL", "CQRencode", "CZlib", "DiaryModel", "Fields",
        "HTTPTransfer", "Hashing", "Language", "Leaflog", "Pages",
        .product(name: "CoreMetrics", package: "swift-metrics", condition: ofService),
        .product(name: "Hummingbird", package: "hummingbird", condition: ofService),
        .product(name: "HummingbirdCore", package: "hummingbird", condition: ofService),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio", condition: ofService),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: ofService),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: ofService),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: ofService),
        .product(name: "NIOPosix", package: "swift-nio", condition: ofService),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: ofService),
        .product(name: "NIOTLS", package: "swift-nio", condition: ofService),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: ofService),
      ], exclude: ["API/examples.json"], plugins: ["EmbedFiles"]),
    .target(
      name: "LeaflogCommand",
      dependencies: [
        "CChafa", "CLazyLibraries", "DiaryModel", "Fields", "Leaflog",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: ofService),
      ], swiftSettings: unoptimized),
    // The commands that need the service. The others are compiled beside it.
    .target(
      name: "ServeCommands",
      dependencies: [
        "Fields", "Leaflog", "LeaflogCommand", "LeaflogServer",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: ofService),
      ], swiftSettings: unoptimized),
    // With Swift's libraries in it, it starts sooner, and on machines without Swift, too. Modules that were compiled for
    // shared libraries do not name the parts of Foundation's static one. lld comes with Swift; gold warns of a function
    // in Foundation. Packed relocations are read faster, and are understood since glibc 2.36, which Debian 12 has.
    .executableTarget(
      name: "LeaflogProgram", dependencies: ["LeaflogCommand", "ServeCommands"],
      linkerSettings: [
        .unsafeFlags(
          [
            "-static-stdlib", "-use-ld=lld", "-lCoreFoundation", "-l_FoundationICU",
            "-l_FoundationCShims",
            "-l_FoundationCollections", "-Xlinker", "--as-needed",
            "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
          ], .when(platforms: [.linux], configuration: .release))
      ]),
    .target(
      name: "TestSupport",
      dependencies: [
        "BlobStorage", "DiaryCatalog", "DiaryModel",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/TestSupport"),
    .target(
      name: "CFaultVFS", path: "Tests/CFaultVFS",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "FaultRunner",
      dependencies: [
        "Leaflog", "Imaging", "BlobStorage", "DiaryCatalog", "CFaultVFS", "TestSupport",
      ],
      path: "Tests/FaultRunner"),
    .testTarget(name: "FieldsTests", dependencies: ["Fields"], swiftSettings: unoptimized),
    .testTarget(
      name: "DiaryModelTests", dependencies: ["DiaryModel", "Fields"], swiftSettings: unoptimized),
    .executableTarget(
      name: "FuzzRunner", dependencies: ["Leaflog", "Imaging", "DiaryModel", "TestSupport"],
      path: "Tests/FuzzRunner"),
    // Loops as every processor has them, to compare those for this one with.
    .target(
      name: "CPlainLoops", dependencies: ["CCoefficients"], path: "Tests/CPlainLoops"),
    .testTarget(
      name: "ImagingTests",
      dependencies: [
        "CJPEG", "CLazyLibraries", "CPlainLoops", "FuzzRunner", "Imaging", "DiaryModel",
        "TestSupport",
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "BlobStorageTests",
      dependencies: [
        "BlobStorage", "DiaryModel", "HTTPTransfer", "Hashing", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "DiaryCatalogTests",
      dependencies: [
        "DiaryCatalog", "BlobStorage", "DiaryModel", "Journal", "TestSupport",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "ReportsTests", dependencies: ["Reports", "DiaryModel", "Language", "TestSupport"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "LeaflogTests",
      dependencies: ["Fields", "Leaflog", "Imaging", "BlobStorage", "DiaryCatalog", "TestSupport"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "PagesTests", dependencies: ["Language", "Leaflog", "Pages", "TestSupport"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "LeaflogServerTests",
      dependencies: [
        "BlobStorage", "DiaryModel", "Fields", "HTTPTransfer", "Imaging", "Leaflog",
        "LeaflogServer", "TestSupport",
        .product(name: "Hummingbird", package: "hummingbird", condition: ofService),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio", condition: ofService),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: ofService),
        .product(name: "NIOPosix", package: "swift-nio", condition: ofService),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: ofService),
        .product(
          name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: ofService),
      ], swiftSettings: unoptimized),
    // The program of `Tests/DependentPackage`, which the guide to the library begins with.
    .executableTarget(
      name: "GuideProgram", dependencies: ["Leaflog"], path: "Tests/DependentPackage/Sources/diary"),
    .testTarget(
      name: "DiaryTests", dependencies: ["Leaflog"],
      path: "Tests/DependentPackage/Tests/DiaryTests", swiftSettings: unoptimized),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "GuideProgram", "LeaflogCommand", "ServeCommands", "BlobStorage", "DiaryCatalog", "Imaging",
        "DiaryModel", "TestSupport",
        .product(name: "SystemPackage", package: "swift-system"),
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "FaultRunner", "Leaflog", "BlobStorage", "DiaryCatalog", "TestSupport",
      ], swiftSettings: unoptimized),
    // The limit for a client of object stores.
    .target(
      name: "CPlainRequests", dependencies: ["CLazyLibraries"], path: "Tests/CPlainRequests"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CPlainRequests", "Leaflog", "Imaging", "DiaryCatalog", "BlobStorage", "TestSupport",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ], path: "Tests/Benchmarks"),
  ],
  swiftLanguageModes: [.v6]
)
