import TestSupport

extension CatalogDump {
  init(of fixture: CommandFixture) throws {
    try self.init(path: fixture.folder.file("library/catalog.sqlite"))
  }
}
