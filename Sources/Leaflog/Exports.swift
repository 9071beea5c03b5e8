// A program that imports Leaflog speaks of entries, plants and days: they come with it.
@_exported public import DiaryModel
