// swift-tools-version: 6.1
import PackageDescription

// A program of somebody else that uses the library, as the manual's guide to it begins. Packages name the repository's
// address and a version instead of the path.
let package = Package(
  name: "diary",
  dependencies: [.package(name: "leaflog", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "diary", dependencies: [.product(name: "Leaflog", package: "leaflog")]),
    .testTarget(
      name: "DiaryTests", dependencies: [.product(name: "Leaflog", package: "leaflog")]),
  ]
)
