/// The description of the service (OpenAPI 3.1), written by hand.
enum OpenAPI {
  // swift-format-ignore
  static let document = #"""
{
  "openapi": "3.1.0",
  "info": {
    "title": "Leaflog",
    "version": "1",
    "description": "A library over HTTP. Writes are carried out once by their Idempotency-Key, edits by If-Match only on the version that was read, and each answer to a write names the change by which it is undone.",
    "license": {"name": "MIT", "identifier": "MIT"}
  },
  "servers": [{"url": "/api/v1"}],
  "paths": {
    "/timeline": {
      "get": {
        "operationId": "timeline",
        "summary": "A page of the timeline",
        "parameters": [
          {"$ref": "#/components/parameters/Kind"},
          {"$ref": "#/components/parameters/Tag"},
          {"$ref": "#/components/parameters/Favourite"},
          {"$ref": "#/components/parameters/From"},
          {"$ref": "#/components/parameters/To"},
          {"$ref": "#/components/parameters/Deleted"},
          {"$ref": "#/components/parameters/OldestFirst"},
          {"$ref": "#/components/parameters/Plant"},
          {"$ref": "#/components/parameters/At"},
          {"$ref": "#/components/parameters/Around"},
          {"$ref": "#/components/parameters/Limit"}
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TimelinePage"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/timeline/buckets": {
      "get": {
        "operationId": "timelineBuckets",
        "summary": "How many entries each year, month, week or day has",
        "parameters": [
          {"$ref": "#/components/parameters/Kind"},
          {"$ref": "#/components/parameters/Tag"},
          {"$ref": "#/components/parameters/Favourite"},
          {"$ref": "#/components/parameters/From"},
          {"$ref": "#/components/parameters/To"},
          {"$ref": "#/components/parameters/Deleted"},
          {"$ref": "#/components/parameters/OldestFirst"},
          {"$ref": "#/components/parameters/Plant"},
          {"name": "by", "in": "query", "schema": {"type": "string", "enum": ["day", "week", "month", "year"]}}
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Bucket"}},
                    "next": {"type": ["string", "null"]}
                  },
                  "additionalProperties": false,
                  "required": ["items", "next"]
                }
              }
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/search": {
      "get": {
        "operationId": "search",
        "summary": "Entries with words",
        "parameters": [
          {
            "name": "q",
            "in": "query",
            "schema": {"type": "string"},
            "description": "Words and phrases in double quotes.",
            "required": true
          },
          {"$ref": "#/components/parameters/Kind"},
          {"$ref": "#/components/parameters/Tag"},
          {"$ref": "#/components/parameters/Favourite"},
          {"$ref": "#/components/parameters/From"},
          {"$ref": "#/components/parameters/To"},
          {"$ref": "#/components/parameters/Deleted"},
          {"$ref": "#/components/parameters/OldestFirst"},
          {"$ref": "#/components/parameters/Plant"},
          {"$ref": "#/components/parameters/At"},
          {"$ref": "#/components/parameters/Around"},
          {"$ref": "#/components/parameters/Limit"}
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SearchPage"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/today": {
      "get": {
        "operationId": "today",
        "summary": "A day at a glance",
        "parameters": [{"name": "on", "in": "query", "schema": {"$ref": "#/components/schemas/Day"}}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Today"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/insights": {
      "get": {
        "operationId": "insights",
        "summary": "Counts, durations and frequencies",
        "parameters": [{"name": "days", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 3660}}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Insights"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/entries/{id}": {
      "get": {
        "operationId": "entry",
        "summary": "An entry",
        "parameters": [{"$ref": "#/components/parameters/Entry"}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ShownEntry"}}},
            "headers": {"ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "patch": {
        "operationId": "editEntry",
        "summary": "Edit an entry (merge patch, RFC 7396); favourites and completions cannot be edited",
        "parameters": [
          {"$ref": "#/components/parameters/Entry"},
          {"$ref": "#/components/parameters/IdempotencyKey"},
          {"$ref": "#/components/parameters/IfMatch"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "notes": {"$ref": "#/components/schemas/NoteOrNull"},
                  "tags": {"$ref": "#/components/schemas/Tags"},
                  "occurredAt": {"$ref": "#/components/schemas/PastTimeOrNull"},
                  "plant": {"type": ["string", "null"]},
                  "isFavourite": {"type": ["boolean", "null"]},
                  "allowFuture": {"type": ["boolean", "null"]},
                  "allowOverlap": {"type": ["boolean", "null"]},
                  "symptom": {
                    "type": "object",
                    "properties": {
                      "name": {"$ref": "#/components/schemas/Line"},
                      "severity": {
                        "oneOf": [
                          {"type": "integer", "minimum": 1, "maximum": 5},
                          {"type": "string", "enum": ["mild", "moderate", "severe"]}
                        ]
                      },
                      "medications": {"type": "array", "items": {"type": "string"}}
                    },
                    "additionalProperties": false
                  },
                  "dailyLog": {
                    "type": "object",
                    "properties": {
                      "sleepHours": {"type": ["number", "null"], "minimum": 0, "maximum": 12, "multipleOf": 0.25},
                      "sleepQuality": {"type": ["integer", "null"], "minimum": 1, "maximum": 5},
                      "stress": {"type": ["integer", "null"], "minimum": 1, "maximum": 5},
                      "exerciseMinutes": {"type": ["integer", "null"], "minimum": 0, "maximum": 300},
                      "exerciseType": {"type": ["string", "null"], "enum": ["walk", "gym", "yoga", "other", null]},
                      "sugar": {"type": ["string", "null"], "enum": ["low", "medium", "high", null]},
                      "alcohol": {"type": ["string", "null"], "enum": ["none", "some", null]},
                      "officeDay": {"type": ["boolean", "null"]},
                      "sickContact": {"type": ["boolean", "null"]},
                      "humidifier": {"type": ["boolean", "null"]}
                    },
                    "additionalProperties": false
                  },
                  "mood": {
                    "type": ["string", "null"],
                    "enum": [
                      "happy",
                      "okay",
                      "sad",
                      "excited",
                      "grateful",
                      "calm",
                      "hopeful",
                      "tired",
                      "stressed",
                      "anxious",
                      "angry",
                      "bored",
                      "lonely",
                      "sick",
                      null
                    ]
                  },
                  "episode": {
                    "type": "object",
                    "properties": {
                      "type": {"type": "string", "enum": ["cold", "cough", "fever", "sinus", "allergy", "other"]},
                      "symptoms": {
                        "type": "array",
                        "items": {
                          "type": "string",
                          "enum": [
                            "cough",
                            "soreThroat",
                            "runnyNose",
                            "sneezing",
                            "fever",
                            "fatigue",
                            "bodyAches",
                            "headache"
                          ]
                        },
                        "maxItems": 8
                      },
                      "severity": {"type": ["integer", "null"], "minimum": 1, "maximum": 5},
                      "mucus": {"type": ["string", "null"], "enum": ["none", "clear", "yellow", "green", null]},
                      "worstTime": {"type": ["string", "null"], "enum": ["morning", "night", "allDay", null]},
                      "medications": {"type": "array", "items": {"type": "string"}},
                      "doctorVisit": {"type": ["string", "null"]},
                      "testResult": {"type": ["string", "null"]},
                      "endDay": {"$ref": "#/components/schemas/PastDayOrNull"}
                    },
                    "additionalProperties": false
                  }
                },
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Entry"}}},
            "headers": {
              "ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}},
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "delete": {
        "operationId": "deleteEntry",
        "summary": "Put an entry into the trash",
        "parameters": [
          {"$ref": "#/components/parameters/Entry"},
          {"$ref": "#/components/parameters/IdempotencyKey"},
          {"$ref": "#/components/parameters/IfMatch"}
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Edit"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/entries/delete": {
      "post": {
        "operationId": "deleteEntries",
        "summary": "Put entries into the trash",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "ids": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/IdOrPrefix"},
                    "minItems": 1,
                    "description": "Entries of one kind."
                  }
                },
                "additionalProperties": false,
                "required": ["ids"]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Edit"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/entries/restore": {
      "post": {
        "operationId": "restoreEntries",
        "summary": "Take entries out of the trash",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "ids": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/IdOrPrefix"},
                    "minItems": 1,
                    "description": "Entries of one kind."
                  },
                  "allowOverlap": {"type": ["boolean", "null"]}
                },
                "additionalProperties": false,
                "required": ["ids"]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Edit"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/entries/tags": {
      "post": {
        "operationId": "tagEntries",
        "summary": "Add tags to entries, or remove them",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "oneOf": [
                  {
                    "type": "object",
                    "properties": {
                      "ids": {
                        "type": "array",
                        "items": {"$ref": "#/components/schemas/IdOrPrefix"},
                        "minItems": 1,
                        "description": "Entries of one kind."
                      },
                      "add": {"$ref": "#/components/schemas/Tags"}
                    },
                    "additionalProperties": false,
                    "required": ["ids", "add"]
                  },
                  {
                    "type": "object",
                    "properties": {
                      "ids": {
                        "type": "array",
                        "items": {"$ref": "#/components/schemas/IdOrPrefix"},
                        "minItems": 1,
                        "description": "Entries of one kind."
                      },
                      "remove": {"$ref": "#/components/schemas/Tags"}
                    },
                    "additionalProperties": false,
                    "required": ["ids", "remove"]
                  }
                ]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Edit"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/symptoms": {
      "post": {
        "operationId": "addSymptom",
        "summary": "Log a symptom",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "symptom": {
                    "type": "object",
                    "properties": {
                      "name": {"$ref": "#/components/schemas/Line"},
                      "severity": {
                        "oneOf": [
                          {"type": "integer", "minimum": 1, "maximum": 5},
                          {"type": "string", "enum": ["mild", "moderate", "severe"]}
                        ]
                      },
                      "medications": {"type": "array", "items": {"type": "string"}}
                    },
                    "additionalProperties": false,
                    "required": ["name", "severity"]
                  },
                  "occurredAt": {"$ref": "#/components/schemas/PastTimeOrNull"},
                  "allowLate": {
                    "type": ["boolean", "null"],
                    "description": "Whether a time more than 48 hours ago is meant."
                  },
                  "notes": {"$ref": "#/components/schemas/NoteOrNull"},
                  "tags": {"$ref": "#/components/schemas/Tags"}
                },
                "additionalProperties": false,
                "required": ["symptom"]
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "Created",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Entry"}}},
            "headers": {
              "ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}},
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/symptoms/names": {
      "get": {
        "operationId": "symptomNames",
        "summary": "The names of symptoms, the frequent and recent ones first",
        "parameters": [{"name": "startingWith", "in": "query", "schema": {"type": "string"}}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/SymptomName"}},
                    "next": {"type": ["string", "null"]}
                  },
                  "additionalProperties": false,
                  "required": ["items", "next"]
                }
              }
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/episodes": {
      "post": {
        "operationId": "addEpisode",
        "summary": "Start an episode, or add one that is over",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "episode": {
                    "type": "object",
                    "properties": {
                      "type": {"type": "string", "enum": ["cold", "cough", "fever", "sinus", "allergy", "other"]},
                      "symptoms": {
                        "type": "array",
                        "items": {
                          "type": "string",
                          "enum": [
                            "cough",
                            "soreThroat",
                            "runnyNose",
                            "sneezing",
                            "fever",
                            "fatigue",
                            "bodyAches",
                            "headache"
                          ]
                        },
                        "maxItems": 8
                      },
                      "severity": {"type": "integer", "minimum": 1, "maximum": 5},
                      "mucus": {"type": "string", "enum": ["none", "clear", "yellow", "green"]},
                      "worstTime": {"type": "string", "enum": ["morning", "night", "allDay"]},
                      "medications": {"type": "array", "items": {"type": "string"}},
                      "doctorVisit": {"type": "string"},
                      "testResult": {"type": "string"},
                      "endDay": {"$ref": "#/components/schemas/PastDay"}
                    },
                    "additionalProperties": false,
                    "required": ["type"]
                  },
                  "occurredAt": {"$ref": "#/components/schemas/PastDayOrNull"},
                  "allowOverlap": {"type": ["boolean", "null"]},
                  "notes": {"$ref": "#/components/schemas/NoteOrNull"},
                  "tags": {"$ref": "#/components/schemas/Tags"}
                },
                "additionalProperties": false,
                "required": ["episode"]
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "Created",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Entry"}}},
            "headers": {
              "ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}},
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/days/{day}/log": {
      "patch": {
        "operationId": "editLog",
        "summary": "Set fields of a day's log; null removes one",
        "parameters": [
          {"$ref": "#/components/parameters/Day"},
          {"$ref": "#/components/parameters/IdempotencyKey"},
          {"$ref": "#/components/parameters/IfMatch"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "dailyLog": {
                    "type": "object",
                    "properties": {
                      "sleepHours": {"type": ["number", "null"], "minimum": 0, "maximum": 12, "multipleOf": 0.25},
                      "sleepQuality": {"type": ["integer", "null"], "minimum": 1, "maximum": 5},
                      "stress": {"type": ["integer", "null"], "minimum": 1, "maximum": 5},
                      "exerciseMinutes": {"type": ["integer", "null"], "minimum": 0, "maximum": 300},
                      "exerciseType": {"type": ["string", "null"], "enum": ["walk", "gym", "yoga", "other", null]},
                      "sugar": {"type": ["string", "null"], "enum": ["low", "medium", "high", null]},
                      "alcohol": {"type": ["string", "null"], "enum": ["none", "some", null]},
                      "officeDay": {"type": ["boolean", "null"]},
                      "sickContact": {"type": ["boolean", "null"]},
                      "humidifier": {"type": ["boolean", "null"]}
                    },
                    "additionalProperties": false
                  },
                  "notes": {"$ref": "#/components/schemas/NoteOrNull"},
                  "tags": {"$ref": "#/components/schemas/Tags"}
                },
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Entry"}}},
            "headers": {
              "ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}},
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/days/{day}/mood": {
      "put": {
        "operationId": "setMood",
        "summary": "Set the mood of a day",
        "parameters": [
          {"$ref": "#/components/parameters/Day"},
          {"$ref": "#/components/parameters/IdempotencyKey"},
          {"$ref": "#/components/parameters/IfMatch"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "mood": {
                    "type": "string",
                    "enum": [
                      "happy",
                      "okay",
                      "sad",
                      "excited",
                      "grateful",
                      "calm",
                      "hopeful",
                      "tired",
                      "stressed",
                      "anxious",
                      "angry",
                      "bored",
                      "lonely",
                      "sick"
                    ]
                  },
                  "notes": {"$ref": "#/components/schemas/NoteOrNull"},
                  "tags": {"$ref": "#/components/schemas/Tags"}
                },
                "additionalProperties": false,
                "required": ["mood"]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Entry"}}},
            "headers": {
              "ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}},
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/days/{day}/quote": {
      "get": {
        "operationId": "quoteOfDay",
        "summary": "The quote of a day",
        "parameters": [{"$ref": "#/components/parameters/Day"}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Quote"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/tags": {
      "get": {
        "operationId": "tags",
        "summary": "All tags, the most frequent first",
        "responses": {
          "200": {
            "description": "OK",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}},
                    "next": {"type": ["string", "null"]}
                  },
                  "additionalProperties": false,
                  "required": ["items", "next"]
                }
              }
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/tags/{tag}": {
      "patch": {
        "operationId": "renameTag",
        "summary": "Rename a tag everywhere",
        "parameters": [
          {
            "name": "tag",
            "in": "path",
            "required": true,
            "schema": {"$ref": "#/components/schemas/Line"},
            "description": "A tag."
          },
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {"name": {"$ref": "#/components/schemas/Line"}},
                "additionalProperties": false,
                "required": ["name"]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}},
                    "next": {"type": ["string", "null"]}
                  },
                  "additionalProperties": false,
                  "required": ["items", "next"]
                }
              }
            },
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/plants": {
      "get": {
        "operationId": "plants",
        "summary": "All plants",
        "parameters": [{"$ref": "#/components/parameters/Deleted"}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Plant"}},
                    "next": {"type": ["string", "null"]}
                  },
                  "additionalProperties": false,
                  "required": ["items", "next"]
                }
              }
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "post": {
        "operationId": "addPlant",
        "summary": "Add a plant",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "name": {"$ref": "#/components/schemas/Line"},
                  "scientificName": {"$ref": "#/components/schemas/LineOrNull"},
                  "location": {"$ref": "#/components/schemas/LineOrNull"},
                  "notes": {"$ref": "#/components/schemas/NoteOrNull"}
                },
                "additionalProperties": false,
                "required": ["name"]
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "Created",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Plant"}}},
            "headers": {
              "ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}},
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/plants/{name}": {
      "get": {
        "operationId": "plant",
        "summary": "A plant and its record",
        "parameters": [{"$ref": "#/components/parameters/Name"}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/PlantRecord"}}},
            "headers": {"ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "patch": {
        "operationId": "editPlant",
        "summary": "Edit a plant",
        "parameters": [
          {"$ref": "#/components/parameters/Name"},
          {"$ref": "#/components/parameters/IdempotencyKey"},
          {"$ref": "#/components/parameters/IfMatch"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "name": {"$ref": "#/components/schemas/Line"},
                  "scientificName": {"$ref": "#/components/schemas/LineOrNull"},
                  "location": {"$ref": "#/components/schemas/LineOrNull"},
                  "notes": {"$ref": "#/components/schemas/NoteOrNull"}
                },
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Plant"}}},
            "headers": {
              "ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}},
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "delete": {
        "operationId": "deletePlant",
        "summary": "Delete a plant; its entries go into the trash",
        "parameters": [
          {"$ref": "#/components/parameters/Name"},
          {"$ref": "#/components/parameters/IdempotencyKey"},
          {"$ref": "#/components/parameters/IfMatch"}
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Plant"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/plants/{name}/restore": {
      "post": {
        "operationId": "restorePlant",
        "summary": "Take a plant out of the trash, with what was deleted with it",
        "parameters": [{"$ref": "#/components/parameters/Name"}, {"$ref": "#/components/parameters/IdempotencyKey"}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Plant"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/plants/{name}/merge": {
      "post": {
        "operationId": "mergePlant",
        "summary": "Give all of a plant to another, and delete it",
        "parameters": [
          {"$ref": "#/components/parameters/Name"},
          {"$ref": "#/components/parameters/IdempotencyKey"},
          {"$ref": "#/components/parameters/IfMatch"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {"into": {"type": "string", "description": "A name or an id.", "minLength": 1}},
                "additionalProperties": false,
                "required": ["into"]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Plant"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/activities": {
      "get": {
        "operationId": "activities",
        "summary": "All activities, in their order",
        "responses": {
          "200": {
            "description": "OK",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Activity"}},
                    "next": {"type": ["string", "null"]}
                  },
                  "additionalProperties": false,
                  "required": ["items", "next"]
                }
              }
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "post": {
        "operationId": "addActivity",
        "summary": "Add an activity",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "name": {"$ref": "#/components/schemas/Line"},
                  "emoji": {
                    "type": ["string", "null"],
                    "description": "One emoji; none takes one that suits.",
                    "enum": ["💧", "🌿", "✂️", null]
                  },
                  "category": {"$ref": "#/components/schemas/Line"},
                  "startFrom": {"$ref": "#/components/schemas/PastDay"},
                  "plant": {"type": ["string", "null"]},
                  "notes": {"$ref": "#/components/schemas/NoteOrNull"},
                  "everyDays": {"type": ["integer", "null"], "minimum": 1, "maximum": 3660},
                  "weeklyGoal": {"type": ["integer", "null"], "minimum": 1, "maximum": 7},
                  "monthlyGoal": {"type": ["integer", "null"], "minimum": 1, "maximum": 31},
                  "doneOn": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/PastDay"}}
                },
                "additionalProperties": false,
                "required": ["name"]
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "Created",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Activity"}}},
            "headers": {
              "ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}},
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/activities/order": {
      "put": {
        "operationId": "orderActivities",
        "summary": "Put all activities into an order",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {"ids": {"type": "array", "items": {"type": "string"}}},
                "additionalProperties": false,
                "required": ["ids"]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Activity"}},
                    "next": {"type": ["string", "null"]}
                  },
                  "additionalProperties": false,
                  "required": ["items", "next"]
                }
              }
            },
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/activities/{name}": {
      "get": {
        "operationId": "activity",
        "summary": "An activity, its streaks and a month's days",
        "parameters": [
          {"$ref": "#/components/parameters/Name"},
          {
            "name": "month",
            "in": "query",
            "schema": {"type": "string", "description": "YYYY-MM", "pattern": "^20[0-9]{2}-(0[1-9]|1[0-2])$"}
          }
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ActivityRecord"}}},
            "headers": {"ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "patch": {
        "operationId": "editActivity",
        "summary": "Edit an activity",
        "parameters": [
          {"$ref": "#/components/parameters/Name"},
          {"$ref": "#/components/parameters/IdempotencyKey"},
          {"$ref": "#/components/parameters/IfMatch"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "name": {"$ref": "#/components/schemas/Line"},
                  "emoji": {
                    "type": ["string", "null"],
                    "description": "One emoji; none takes one that suits.",
                    "enum": ["💧", "🌿", "✂️", null]
                  },
                  "category": {"$ref": "#/components/schemas/Line"},
                  "startFrom": {"$ref": "#/components/schemas/PastDay"},
                  "plant": {"type": ["string", "null"]},
                  "notes": {"$ref": "#/components/schemas/NoteOrNull"},
                  "everyDays": {"type": ["integer", "null"], "minimum": 1, "maximum": 3660},
                  "weeklyGoal": {"type": ["integer", "null"], "minimum": 1, "maximum": 7},
                  "monthlyGoal": {"type": ["integer", "null"], "minimum": 1, "maximum": 31}
                },
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Activity"}}},
            "headers": {
              "ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}},
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "delete": {
        "operationId": "deleteActivity",
        "summary": "Delete an activity; its completions go into the trash",
        "parameters": [
          {"$ref": "#/components/parameters/Name"},
          {"$ref": "#/components/parameters/IdempotencyKey"},
          {"$ref": "#/components/parameters/IfMatch"}
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Activity"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/activities/{name}/completions": {
      "post": {
        "operationId": "completeActivity",
        "summary": "Record that it was done: now, or on the days given",
        "parameters": [{"$ref": "#/components/parameters/Name"}, {"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "days": {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/PastDay"}},
                  "notes": {"$ref": "#/components/schemas/NoteOrNull"},
                  "tags": {"$ref": "#/components/schemas/Tags"},
                  "skipDone": {"type": ["boolean", "null"]}
                },
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Edit"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/activities/{name}/completions/{day}": {
      "delete": {
        "operationId": "uncompleteActivity",
        "summary": "Put the completion of a day into the trash",
        "parameters": [
          {"$ref": "#/components/parameters/Name"},
          {"$ref": "#/components/parameters/Day"},
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Edit"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/quotes": {
      "get": {
        "operationId": "quotes",
        "summary": "Quotes, one's own first",
        "parameters": [
          {"name": "q", "in": "query", "schema": {"type": "string"}},
          {"$ref": "#/components/parameters/At"},
          {"$ref": "#/components/parameters/Around"},
          {"$ref": "#/components/parameters/Limit"}
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Quote"}},
                    "next": {"type": ["string", "null"]}
                  },
                  "additionalProperties": false,
                  "required": ["items", "next"]
                }
              }
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "post": {
        "operationId": "addQuote",
        "summary": "Add a quote of one's own",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "text": {"$ref": "#/components/schemas/Line"},
                  "author": {"$ref": "#/components/schemas/LineOrNull"},
                  "source": {"$ref": "#/components/schemas/LineOrNull"}
                },
                "additionalProperties": false,
                "required": ["text"]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "It was there already",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Quote"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "201": {
            "description": "Created",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Quote"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/quotes/{id}/favourite": {
      "put": {
        "operationId": "favouriteQuote",
        "summary": "Make a quote a favourite",
        "parameters": [{"$ref": "#/components/parameters/Quote"}, {"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {"tags": {"$ref": "#/components/schemas/Tags"}},
                "additionalProperties": false
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Quote"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "delete": {
        "operationId": "unfavouriteQuote",
        "summary": "Put a favourite into the trash",
        "parameters": [{"$ref": "#/components/parameters/Quote"}, {"$ref": "#/components/parameters/IdempotencyKey"}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Quote"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/photos/{id}": {
      "get": {
        "operationId": "photo",
        "summary": "All about a photo",
        "parameters": [{"$ref": "#/components/parameters/Entry"}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ShownPhoto"}}},
            "headers": {"ETag": {"description": "The version, for If-Match.", "schema": {"type": "string"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/photos/{id}/thumbnail": {
      "get": {
        "operationId": "thumbnail",
        "summary": "A photo's picture: 512 px",
        "parameters": [
          {"$ref": "#/components/parameters/Entry"},
          {
            "name": "digest",
            "in": "query",
            "description": "The SHA-256 of its bytes, if known: a file that still has it may be cached for ever.",
            "schema": {"type": "string"}
          }
        ],
        "responses": {
          "200": {
            "description": "The whole file",
            "content": {"image/*": {"schema": {"type": "string", "format": "binary"}}}
          },
          "206": {
            "description": "A part of it",
            "content": {"image/*": {"schema": {"type": "string", "format": "binary"}}}
          },
          "304": {"description": "The client has it"},
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/photos/{id}/preview": {
      "get": {
        "operationId": "preview",
        "summary": "A photo's picture: 2048 px, made when it is asked for first",
        "parameters": [
          {"$ref": "#/components/parameters/Entry"},
          {
            "name": "digest",
            "in": "query",
            "description": "The SHA-256 of its bytes, if known: a file that still has it may be cached for ever.",
            "schema": {"type": "string"}
          }
        ],
        "responses": {
          "200": {
            "description": "The whole file",
            "content": {"image/*": {"schema": {"type": "string", "format": "binary"}}}
          },
          "206": {
            "description": "A part of it",
            "content": {"image/*": {"schema": {"type": "string", "format": "binary"}}}
          },
          "304": {"description": "The client has it"},
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/photos/{id}/original": {
      "get": {
        "operationId": "original",
        "summary": "A photo's picture: the file as it was imported, or the best that the library has; a packed one as JPEG XL to who accepts image/jxl",
        "parameters": [
          {"$ref": "#/components/parameters/Entry"},
          {
            "name": "digest",
            "in": "query",
            "description": "The SHA-256 of its bytes, if known: a file that still has it may be cached for ever.",
            "schema": {"type": "string"}
          }
        ],
        "responses": {
          "200": {
            "description": "The whole file",
            "content": {"image/*": {"schema": {"type": "string", "format": "binary"}}}
          },
          "206": {
            "description": "A part of it",
            "content": {"image/*": {"schema": {"type": "string", "format": "binary"}}}
          },
          "304": {"description": "The client has it"},
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/photos/redate": {
      "post": {
        "operationId": "redatePhotos",
        "summary": "Correct the times of photos",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "oneOf": [
                  {
                    "type": "object",
                    "properties": {
                      "ids": {
                        "type": "array",
                        "items": {"$ref": "#/components/schemas/IdOrPrefix"},
                        "minItems": 1,
                        "description": "Entries of one kind."
                      },
                      "shiftSeconds": {"type": "integer", "minimum": -1000000000, "maximum": 1000000000},
                      "allowFuture": {"type": ["boolean", "null"]}
                    },
                    "additionalProperties": false,
                    "required": ["ids", "shiftSeconds"]
                  },
                  {
                    "type": "object",
                    "properties": {
                      "ids": {
                        "type": "array",
                        "items": {"$ref": "#/components/schemas/IdOrPrefix"},
                        "minItems": 1,
                        "description": "Entries of one kind."
                      },
                      "timeZone": {"type": "string", "enum": ["Europe/Berlin", "UTC", "America/New_York"]},
                      "allowFuture": {"type": ["boolean", "null"]}
                    },
                    "additionalProperties": false,
                    "required": ["ids", "timeZone"]
                  },
                  {
                    "type": "object",
                    "properties": {
                      "ids": {
                        "type": "array",
                        "items": {"$ref": "#/components/schemas/IdOrPrefix"},
                        "minItems": 1,
                        "description": "Entries of one kind."
                      },
                      "source": {"type": "string", "enum": ["exif", "filename", "sidecar", "mtime"]},
                      "allowFuture": {"type": ["boolean", "null"]}
                    },
                    "additionalProperties": false,
                    "required": ["ids", "source"]
                  }
                ]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Edit"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/photos": {
      "post": {
        "operationId": "addPhoto",
        "summary": "Import a photo: the file as it is, or a form with any number of files",
        "parameters": [
          {"name": "name", "in": "query", "schema": {"type": "string", "description": "The file's name."}},
          {"name": "plant", "in": "query", "schema": {"type": "string"}},
          {"name": "note", "in": "query", "schema": {"type": "string"}},
          {"name": "at", "in": "query", "schema": {"$ref": "#/components/schemas/PastTime"}},
          {"name": "timeZone", "in": "query", "schema": {"type": "string", "enum": ["Europe/Berlin", "UTC"]}},
          {
            "name": "batch",
            "in": "query",
            "schema": {"type": "string", "description": "Photos with the same are one change."}
          },
          {
            "name": "modifiedAt",
            "in": "query",
            "schema": {
              "type": "string",
              "description": "When the file was modified last.",
              "pattern": "^20(1[0-9]|2[0-5])-0[1-9]-[12][0-8]T[01][0-9]:[0-5][0-9]:00Z$"
            }
          },
          {
            "name": "sha256",
            "in": "query",
            "schema": {"type": "string", "description": "Of the whole file.", "pattern": "^[0-9a-f]{64}$"}
          }
        ],
        "responses": {
          "200": {
            "description": "It is in the library already, or is nothing to import; of a form, the outcome of each file",
            "content": {
              "application/json": {
                "schema": {
                  "oneOf": [
                    {"$ref": "#/components/schemas/Outcome"},
                    {
                      "type": "object",
                      "properties": {
                        "items": {"type": "array", "items": {"$ref": "#/components/schemas/Outcome"}},
                        "next": {"type": ["string", "null"]}
                      },
                      "additionalProperties": false,
                      "required": ["items", "next"]
                    }
                  ]
                }
              }
            },
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "201": {
            "description": "Added",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Outcome"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "422": {
            "description": "It cannot be imported",
            "content": {
              "application/json": {"schema": {"$ref": "#/components/schemas/Outcome"}},
              "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        },
        "requestBody": {
          "required": true,
          "content": {
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
            "multipart/form-data": {
              "schema": {
                "type": "object",
                "properties": {
                  "file": {"type": "string", "format": "binary"},
                  "plant": {"type": "string"},
                  "note": {"type": "string"},
                  "at": {"$ref": "#/components/schemas/PastTime"},
                  "timeZone": {"type": "string", "enum": ["Europe/Berlin", "UTC"]},
                  "batch": {"type": "string", "description": "Photos with the same are one change."},
                  "modifiedAt": {
                    "type": "string",
                    "description": "When the file was modified last.",
                    "pattern": "^20(1[0-9]|2[0-5])-0[1-9]-[12][0-8]T[01][0-9]:[0-5][0-9]:00Z$"
                  },
                  "sha256": {"type": "string", "description": "Of the whole file.", "pattern": "^[0-9a-f]{64}$"}
                },
                "required": ["file"],
                "additionalProperties": false
              }
            }
          }
        }
      }
    },
    "/sources/{digest}": {
      "get": {
        "operationId": "source",
        "summary": "The photo of a file with this SHA-256, which then need not be sent",
        "parameters": [
          {
            "name": "digest",
            "in": "path",
            "required": true,
            "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "description": "SHA-256 of the file."
          }
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Entry"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/uploads": {
      "post": {
        "operationId": "beginUpload",
        "summary": "Begin an upload that can be gone on with",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "name": {"type": "string", "description": "The file's name."},
                  "byteCount": {"type": "integer", "minimum": 0, "maximum": 9007199254740991},
                  "plant": {"type": ["string", "null"]},
                  "note": {"type": ["string", "null"]},
                  "at": {"$ref": "#/components/schemas/PastTimeOrNull"},
                  "timeZone": {"type": ["string", "null"], "enum": ["Europe/Berlin", "UTC", null]},
                  "batch": {"type": ["string", "null"], "description": "Photos with the same are one change."},
                  "modifiedAt": {
                    "type": ["string", "null"],
                    "description": "When the file was modified last.",
                    "pattern": "^20(1[0-9]|2[0-5])-0[1-9]-[12][0-8]T[01][0-9]:[0-5][0-9]:00Z$"
                  },
                  "sha256": {"type": ["string", "null"], "description": "Of the whole file.", "pattern": "^[0-9a-f]{64}$"}
                },
                "additionalProperties": false,
                "required": ["name", "byteCount"]
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "Created",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Upload"}}},
            "headers": {
              "Upload-Offset": {"schema": {"type": "string"}, "description": "How many bytes have come."},
              "Location": {"schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/uploads/{id}": {
      "get": {
        "operationId": "upload",
        "summary": "How far an upload has come",
        "parameters": [{"$ref": "#/components/parameters/Upload"}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Upload"}}},
            "headers": {"Upload-Offset": {"schema": {"type": "string"}, "description": "How many bytes have come."}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "put": {
        "operationId": "continueUpload",
        "summary": "The next piece of an upload; with the last one it is imported",
        "parameters": [
          {"$ref": "#/components/parameters/Upload"},
          {
            "name": "Content-Range",
            "in": "header",
            "required": true,
            "schema": {
              "type": "string",
              "description": "bytes 0-1023/4096; or bytes */4096 without a body, once all bytes have come",
              "pattern": "^bytes ([0-9]{1,6}-[0-9]{1,6}|\\*)/[0-9]{1,6}$"
            }
          }
        ],
        "responses": {
          "200": {
            "description": "The piece has come, or the photo is no new one",
            "content": {
              "application/json": {
                "schema": {"oneOf": [{"$ref": "#/components/schemas/Upload"}, {"$ref": "#/components/schemas/Outcome"}]}
              }
            },
            "headers": {"Upload-Offset": {"schema": {"type": "string"}, "description": "How many bytes have come."}}
          },
          "201": {
            "description": "Added",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Outcome"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "422": {
            "description": "It cannot be imported",
            "content": {
              "application/json": {"schema": {"$ref": "#/components/schemas/Outcome"}},
              "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        },
        "requestBody": {
          "required": true,
          "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        }
      },
      "delete": {
        "operationId": "removeUpload",
        "summary": "Give an upload up",
        "parameters": [{"$ref": "#/components/parameters/Upload"}],
        "responses": {"204": {"description": "Gone"}, "default": {"$ref": "#/components/responses/Problem"}}
      }
    },
    "/changes": {
      "get": {
        "operationId": "changes",
        "summary": "The history, the newest change first",
        "parameters": [
          {
            "name": "before",
            "in": "query",
            "schema": {"type": "integer", "minimum": 0, "maximum": 9223372036854775807},
            "description": "A page's `next`."
          },
          {"$ref": "#/components/parameters/Limit"}
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/History"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/changes/{id}/undo": {
      "post": {
        "operationId": "undo",
        "summary": "Undo a change as a whole",
        "parameters": [{"$ref": "#/components/parameters/Change"}, {"$ref": "#/components/parameters/IdempotencyKey"}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Change"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/changes/{id}/redo": {
      "post": {
        "operationId": "redo",
        "summary": "Make an undone change again",
        "parameters": [{"$ref": "#/components/parameters/Change"}, {"$ref": "#/components/parameters/IdempotencyKey"}],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Change"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/settings": {
      "get": {
        "operationId": "settings",
        "summary": "All settings",
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Settings"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/settings/{name}": {
      "put": {
        "operationId": "setSetting",
        "summary": "Set a setting",
        "parameters": [
          {
            "name": "name",
            "in": "path",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 40},
            "description": "Its name."
          },
          {"$ref": "#/components/parameters/IdempotencyKey"}
        ],
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {"value": {"type": "string"}},
                "additionalProperties": false,
                "required": ["value"]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Settings"}}},
            "headers": {
              "Leaflog-Change": {"description": "The number of the change, by which it is undone.", "schema": {"type": "string"}}
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/stats": {
      "get": {
        "operationId": "statistics",
        "summary": "The size of the library",
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Statistics"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/about": {
      "get": {
        "operationId": "about",
        "summary": "Version, licence, privacy, and what Leaflog is not",
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/About"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/openapi.json": {
      "get": {
        "operationId": "description",
        "summary": "This document",
        "responses": {
          "200": {"description": "OK", "content": {"application/json": {"schema": {"type": "object"}}}},
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/session": {
      "get": {
        "operationId": "session",
        "summary": "Who one is",
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Session"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "post": {
        "operationId": "beginSession",
        "summary": "Sign in with a token: sets a cookie",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {"token": {"type": "string"}},
                "additionalProperties": false,
                "required": ["token"]
              }
            }
          }
        },
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Session"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "delete": {
        "operationId": "endSession",
        "summary": "Sign out",
        "responses": {"204": {"description": "Gone"}, "default": {"$ref": "#/components/responses/Problem"}}
      }
    },
    "/tokens": {
      "get": {
        "operationId": "tokens",
        "summary": "Who may use the library; for those who have a token",
        "responses": {
          "200": {
            "description": "OK",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Token"}},
                    "next": {"type": ["string", "null"]}
                  },
                  "additionalProperties": false,
                  "required": ["items", "next"]
                }
              }
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "post": {
        "operationId": "addToken",
        "summary": "Make a token",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {"name": {"$ref": "#/components/schemas/Line"}},
                "additionalProperties": false,
                "required": ["name"]
              }
            }
          }
        },
        "responses": {
          "201": {
            "description": "Created",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Token"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/tokens/{id}": {
      "delete": {
        "operationId": "revokeToken",
        "summary": "Revoke a token, and end its sessions",
        "parameters": [
          {
            "name": "id",
            "in": "path",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 60},
            "description": "A name or an id."
          }
        ],
        "responses": {"204": {"description": "Gone"}, "default": {"$ref": "#/components/responses/Problem"}}
      }
    },
    "/jobs": {
      "get": {
        "operationId": "jobs",
        "summary": "All jobs, the newest first",
        "responses": {
          "200": {
            "description": "OK",
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Job"}},
                    "next": {"type": ["string", "null"]}
                  },
                  "additionalProperties": false,
                  "required": ["items", "next"]
                }
              }
            }
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "post": {
        "operationId": "addJob",
        "summary": "Begin long work",
        "requestBody": {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "oneOf": [
                  {
                    "type": "object",
                    "properties": {"kind": {"const": "verify", "type": "string"}, "full": {"type": "boolean"}},
                    "additionalProperties": false,
                    "required": ["kind"]
                  },
                  {
                    "type": "object",
                    "properties": {"kind": {"const": "prune", "type": "string"}, "dryRun": {"const": true, "type": "boolean"}},
                    "additionalProperties": false,
                    "required": ["kind", "dryRun"]
                  },
                  {
                    "type": "object",
                    "properties": {"kind": {"const": "exportDiary", "type": "string"}},
                    "additionalProperties": false,
                    "required": ["kind"]
                  },
                  {
                    "type": "object",
                    "properties": {
                      "kind": {"const": "csv", "type": "string"},
                      "table": {
                        "type": "string",
                        "enum": ["symptom", "dailyLog", "episode", "mood", "quote", "completion", "activity"]
                      }
                    },
                    "additionalProperties": false,
                    "required": ["kind", "table"]
                  },
                  {
                    "type": "object",
                    "description": "The other kinds, with the fields that the manual of the service has for them.",
                    "properties": {
                      "kind": {
                        "type": "string",
                        "enum": ["recompress", "backup", "importFolder", "report", "timelapse"]
                      }
                    },
                    "required": ["kind"]
                  }
                ]
              }
            }
          }
        },
        "responses": {
          "202": {
            "description": "Accepted",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}},
            "headers": {"Location": {"schema": {"type": "string"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/jobs/{id}": {
      "get": {
        "operationId": "job",
        "summary": "A job",
        "parameters": [
          {
            "name": "id",
            "in": "path",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 60},
            "description": "Of a job."
          }
        ],
        "responses": {
          "200": {
            "description": "OK",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      },
      "delete": {
        "operationId": "removeJob",
        "summary": "Cancel a job that waits or runs; remove one that has ended",
        "parameters": [
          {
            "name": "id",
            "in": "path",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 60},
            "description": "Of a job."
          }
        ],
        "responses": {
          "200": {
            "description": "It waited, and is cancelled",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
          },
          "202": {
            "description": "It is going to end",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}
          },
          "204": {"description": "Gone"},
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/jobs/{id}/retry": {
      "post": {
        "operationId": "retryJob",
        "summary": "Do a job again",
        "parameters": [
          {
            "name": "id",
            "in": "path",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 60},
            "description": "Of a job."
          }
        ],
        "responses": {
          "202": {
            "description": "Accepted",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}},
            "headers": {"Location": {"schema": {"type": "string"}}}
          },
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/jobs/{id}/result": {
      "get": {
        "operationId": "jobResult",
        "summary": "The file that a job made",
        "parameters": [
          {
            "name": "id",
            "in": "path",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 60},
            "description": "Of a job."
          }
        ],
        "responses": {
          "200": {"description": "The whole file", "content": {"*/*": {}}},
          "206": {"description": "A part of it", "content": {"*/*": {}}},
          "304": {"description": "The client has it"},
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    },
    "/jobs/{id}/events": {
      "get": {
        "operationId": "jobEvents",
        "summary": "A job as it goes on: events `progress`, and `end` at last",
        "parameters": [
          {
            "name": "id",
            "in": "path",
            "required": true,
            "schema": {"type": "string", "minLength": 1, "maxLength": 60},
            "description": "Of a job."
          }
        ],
        "responses": {
          "200": {"description": "Server-sent events", "content": {"text/event-stream": {}}},
          "204": {"description": "The client has had the end"},
          "default": {"$ref": "#/components/responses/Problem"}
        }
      }
    }
  },
  "components": {
    "schemas": {
      "Line": {
        "type": "string",
        "description": "One line that is not blank, without control characters.",
        "pattern": "^[!-~¡-\\u02ff\\u0370-\\u03ff\\u4e00-\\u9fff][ -~¡-\\u02ff\\u0370-\\u03ff\\u4e00-\\u9fff]{0,199}$",
        "examples": ["Fern"]
      },
      "LineOrNull": {
        "type": ["string", "null"],
        "description": "One line that is not blank, without control characters.",
        "pattern": "^[!-~¡-\\u02ff\\u0370-\\u03ff\\u4e00-\\u9fff][ -~¡-\\u02ff\\u0370-\\u03ff\\u4e00-\\u9fff]{0,199}$",
        "examples": ["Fern"]
      },
      "Tags": {
        "type": ["array", "null"],
        "items": {
          "type": "string",
          "description": "One line; a blank one is none.",
          "pattern": "^([!-~¡-\\u02ff\\u0370-\\u03ff\\u4e00-\\u9fff][ -~¡-\\u02ff\\u0370-\\u03ff\\u4e00-\\u9fff]{0,99})?$",
          "examples": ["Fern"]
        },
        "description": "Tags, in their order."
      },
      "NoteOrNull": {"type": ["string", "null"], "description": "A text; an empty one, or null, is none."},
      "Day": {"type": "string", "description": "A day, YYYY-MM-DD.", "format": "date"},
      "PastDay": {
        "type": "string",
        "description": "A day, YYYY-MM-DD, of the past.",
        "pattern": "^20(1[0-9]|2[0-5])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$",
        "examples": ["2025-03-01"]
      },
      "PastDayOrNull": {
        "type": ["string", "null"],
        "description": "A day, YYYY-MM-DD, of the past.",
        "pattern": "^20(1[0-9]|2[0-5])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$",
        "examples": ["2025-03-01"]
      },
      "Time": {
        "type": "string",
        "description": "ISO 8601 with the offset it was recorded with; none when none was; or a day alone.",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9:]+)?)?$"
      },
      "PastTime": {
        "type": "string",
        "description": "2025-03-01T09:30, with an offset where one is meant, or a day alone; not in the future.",
        "pattern": "^20(1[0-9]|2[0-5])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])?)?$",
        "examples": ["2025-03-01T09:30"]
      },
      "PastTimeOrNull": {
        "type": ["string", "null"],
        "description": "2025-03-01T09:30, with an offset where one is meant, or a day alone; not in the future.",
        "pattern": "^20(1[0-9]|2[0-5])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])?)?$",
        "examples": ["2025-03-01T09:30"]
      },
      "Id": {"type": "string", "description": "32 lower-case hexadecimal digits.", "pattern": "^[0-9a-f]{32}$"},
      "IdOrPrefix": {"type": "string", "description": "An id or an unambiguous start of it.", "minLength": 1, "maxLength": 40},
      "Problem": {
        "type": "object",
        "properties": {
          "type": {"type": "string"},
          "title": {"type": "string"},
          "status": {"type": "integer"},
          "detail": {"type": "string"},
          "code": {"type": "string", "description": "The library's code, to match."},
          "remedy": {"type": "string", "description": "What can be done."}
        },
        "additionalProperties": false,
        "required": ["type", "title", "status"],
        "description": "An error (RFC 9457)."
      },
      "PlantReference": {
        "type": "object",
        "properties": {"id": {"$ref": "#/components/schemas/Id"}, "name": {"type": "string"}},
        "additionalProperties": false,
        "required": ["id", "name"]
      },
      "Symptom": {
        "type": "object",
        "properties": {
          "name": {"type": "string"},
          "severity": {"type": "number", "minimum": 1, "maximum": 5},
          "severityLabel": {"type": "string"},
          "medications": {"type": "array", "items": {"type": "string"}}
        },
        "additionalProperties": false,
        "required": ["name", "severity", "medications"]
      },
      "DailyLog": {
        "type": "object",
        "properties": {
          "sleepHours": {"type": "number", "minimum": 0, "maximum": 12, "multipleOf": 0.25},
          "sleepQuality": {"type": "integer", "minimum": 1, "maximum": 5},
          "stress": {"type": "integer", "minimum": 1, "maximum": 5},
          "exerciseMinutes": {"type": "integer", "minimum": 0, "maximum": 300},
          "exerciseType": {"type": "string", "enum": ["walk", "gym", "yoga", "other"]},
          "sugar": {"type": "string", "enum": ["low", "medium", "high"]},
          "alcohol": {"type": "string", "enum": ["none", "some"]},
          "officeDay": {"type": "boolean"},
          "sickContact": {"type": "boolean"},
          "humidifier": {"type": "boolean"}
        },
        "additionalProperties": false
      },
      "Episode": {
        "type": "object",
        "properties": {
          "endDay": {"$ref": "#/components/schemas/Day"},
          "type": {"type": "string", "enum": ["cold", "cough", "fever", "sinus", "allergy", "other"]},
          "symptoms": {
            "type": "array",
            "items": {
              "type": "string",
              "enum": ["cough", "soreThroat", "runnyNose", "sneezing", "fever", "fatigue", "bodyAches", "headache"]
            }
          },
          "severity": {"type": "integer", "minimum": 1, "maximum": 5},
          "mucus": {"type": "string", "enum": ["none", "clear", "yellow", "green"]},
          "worstTime": {"type": "string", "enum": ["morning", "night", "allDay"]},
          "medications": {"type": "array", "items": {"type": "string"}},
          "doctorVisit": {"type": "string"},
          "testResult": {"type": "string"}
        },
        "additionalProperties": false,
        "required": ["type", "symptoms", "medications"]
      },
      "QuoteContent": {
        "type": "object",
        "properties": {
          "id": {"type": "string"},
          "text": {"type": "string"},
          "author": {"type": "string"},
          "source": {"type": "string"},
          "origin": {"type": "string", "enum": ["bundled", "own", "zenquotes"]}
        },
        "additionalProperties": false,
        "required": ["id", "text", "origin"]
      },
      "Completion": {
        "type": "object",
        "properties": {
          "activity": {
            "type": "object",
            "properties": {"id": {"$ref": "#/components/schemas/Id"}, "name": {"type": "string"}, "emoji": {"type": "string"}},
            "additionalProperties": false,
            "required": ["id", "name", "emoji"]
          },
          "source": {"type": "string"}
        },
        "additionalProperties": false,
        "required": ["activity", "source"]
      },
      "PhotoSummary": {
        "type": "object",
        "properties": {
          "width": {"type": "integer"},
          "height": {"type": "integer"},
          "captureSource": {
            "type": "string",
            "enum": ["sidecar", "exif", "xmp", "gps", "takeout", "filename", "mtime", "manual"]
          },
          "sourceDigest": {"type": "string", "description": "SHA-256 of the file as it was imported."},
          "sourceByteCount": {"type": "integer"},
          "storedByteCount": {"type": "integer"},
          "isFavourite": {"type": "boolean"}
        },
        "additionalProperties": false,
        "required": [
          "width",
          "height",
          "captureSource",
          "sourceDigest",
          "sourceByteCount",
          "storedByteCount",
          "isFavourite"
        ]
      },
      "Entry": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/Id"},
          "kind": {"type": "string", "enum": ["photo", "symptom", "dailyLog", "episode", "mood", "quote", "completion"]},
          "occurredAt": {"$ref": "#/components/schemas/Time"},
          "localDay": {"$ref": "#/components/schemas/Day"},
          "plant": {"$ref": "#/components/schemas/PlantReference"},
          "plantDay": {"type": "integer", "description": "The day of the plant's record, from 1."},
          "notes": {"type": "string"},
          "tags": {"type": "array", "items": {"type": "string"}},
          "deletedAt": {"$ref": "#/components/schemas/Time"},
          "durationDays": {"type": "integer", "description": "Of an episode that is over, both ends counted."},
          "photo": {"$ref": "#/components/schemas/PhotoSummary"},
          "symptom": {"$ref": "#/components/schemas/Symptom"},
          "dailyLog": {"$ref": "#/components/schemas/DailyLog"},
          "episode": {"$ref": "#/components/schemas/Episode"},
          "mood": {
            "type": "string",
            "enum": [
              "happy",
              "okay",
              "sad",
              "excited",
              "grateful",
              "calm",
              "hopeful",
              "tired",
              "stressed",
              "anxious",
              "angry",
              "bored",
              "lonely",
              "sick"
            ]
          },
          "quote": {"$ref": "#/components/schemas/QuoteContent"},
          "completion": {"$ref": "#/components/schemas/Completion"}
        },
        "additionalProperties": false,
        "required": ["id", "kind", "occurredAt", "localDay", "tags"],
        "description": "An entry; the fields of its kind stand under the name of the kind."
      },
      "ShownEntry": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/Id"},
          "kind": {"type": "string", "enum": ["photo", "symptom", "dailyLog", "episode", "mood", "quote", "completion"]},
          "occurredAt": {"$ref": "#/components/schemas/Time"},
          "localDay": {"$ref": "#/components/schemas/Day"},
          "plant": {"$ref": "#/components/schemas/PlantReference"},
          "plantDay": {"type": "integer", "description": "The day of the plant's record, from 1."},
          "notes": {"type": "string"},
          "tags": {"type": "array", "items": {"type": "string"}},
          "deletedAt": {"$ref": "#/components/schemas/Time"},
          "durationDays": {"type": "integer", "description": "Of an episode that is over, both ends counted."},
          "photo": {"$ref": "#/components/schemas/PhotoSummary"},
          "symptom": {"$ref": "#/components/schemas/Symptom"},
          "dailyLog": {"$ref": "#/components/schemas/DailyLog"},
          "episode": {"$ref": "#/components/schemas/Episode"},
          "mood": {
            "type": "string",
            "enum": [
              "happy",
              "okay",
              "sad",
              "excited",
              "grateful",
              "calm",
              "hopeful",
              "tired",
              "stressed",
              "anxious",
              "angry",
              "bored",
              "lonely",
              "sick"
            ]
          },
          "quote": {"$ref": "#/components/schemas/QuoteContent"},
          "completion": {"$ref": "#/components/schemas/Completion"},
          "previous": {"type": ["string", "null"], "description": "The id of the entry before it."},
          "next": {"type": ["string", "null"], "description": "The id of the entry after it."}
        },
        "additionalProperties": false,
        "required": ["id", "kind", "occurredAt", "localDay", "tags", "previous", "next"]
      },
      "Rendition": {
        "type": "object",
        "properties": {
          "role": {"type": "string", "enum": ["original", "packed", "master", "thumbnail"]},
          "blob": {"type": "string"},
          "byteCount": {"type": "integer"},
          "mediaType": {"type": "string"},
          "width": {"type": "integer"},
          "height": {"type": "integer"},
          "recipe": {"type": "string"}
        },
        "additionalProperties": false,
        "required": ["role", "blob", "byteCount", "mediaType", "width", "height", "recipe"]
      },
      "ShownPhoto": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/Id"},
          "kind": {"type": "string", "enum": ["photo", "symptom", "dailyLog", "episode", "mood", "quote", "completion"]},
          "occurredAt": {"$ref": "#/components/schemas/Time"},
          "localDay": {"$ref": "#/components/schemas/Day"},
          "plant": {"$ref": "#/components/schemas/PlantReference"},
          "plantDay": {"type": "integer", "description": "The day of the plant's record, from 1."},
          "notes": {"type": "string"},
          "tags": {"type": "array", "items": {"type": "string"}},
          "deletedAt": {"$ref": "#/components/schemas/Time"},
          "durationDays": {"type": "integer", "description": "Of an episode that is over, both ends counted."},
          "photo": {"$ref": "#/components/schemas/PhotoSummary"},
          "symptom": {"$ref": "#/components/schemas/Symptom"},
          "dailyLog": {"$ref": "#/components/schemas/DailyLog"},
          "episode": {"$ref": "#/components/schemas/Episode"},
          "mood": {
            "type": "string",
            "enum": [
              "happy",
              "okay",
              "sad",
              "excited",
              "grateful",
              "calm",
              "hopeful",
              "tired",
              "stressed",
              "anxious",
              "angry",
              "bored",
              "lonely",
              "sick"
            ]
          },
          "quote": {"$ref": "#/components/schemas/QuoteContent"},
          "completion": {"$ref": "#/components/schemas/Completion"},
          "originalName": {"type": "string"},
          "sourceMediaType": {"type": "string"},
          "placeholder": {"type": "array", "items": {"type": "integer"}},
          "warnings": {"type": "array", "items": {"type": "string"}},
          "renditions": {"type": "array", "items": {"$ref": "#/components/schemas/Rendition"}},
          "previous": {"type": ["string", "null"], "description": "The id of the entry before it."},
          "next": {"type": ["string", "null"], "description": "The id of the entry after it."}
        },
        "additionalProperties": false,
        "required": [
          "id",
          "kind",
          "occurredAt",
          "localDay",
          "tags",
          "originalName",
          "sourceMediaType",
          "placeholder",
          "warnings",
          "renditions",
          "previous",
          "next"
        ]
      },
      "TimelinePage": {
        "type": "object",
        "properties": {
          "entries": {"type": "array", "items": {"$ref": "#/components/schemas/Entry"}},
          "next": {"type": ["string", "null"]},
          "previous": {"type": ["string", "null"]}
        },
        "additionalProperties": false,
        "required": ["entries", "next", "previous"]
      },
      "Bucket": {
        "type": "object",
        "properties": {"bucket": {"type": "string"}, "count": {"type": "integer"}},
        "additionalProperties": false,
        "required": ["bucket", "count"]
      },
      "Plant": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/Id"},
          "name": {"type": "string"},
          "scientificName": {"type": "string"},
          "location": {"type": "string"},
          "notes": {"type": "string"},
          "photoCount": {"type": "integer"},
          "firstPhotoDay": {"$ref": "#/components/schemas/Day"},
          "lastPhotoDay": {"$ref": "#/components/schemas/Day"},
          "daysSinceLastPhoto": {"type": "integer"},
          "latestPhotos": {"type": "array", "items": {"type": "string"}},
          "deletedAt": {"$ref": "#/components/schemas/Time"}
        },
        "additionalProperties": false,
        "required": ["id", "name", "photoCount", "latestPhotos"]
      },
      "PlantRecord": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/Id"},
          "name": {"type": "string"},
          "scientificName": {"type": "string"},
          "location": {"type": "string"},
          "notes": {"type": "string"},
          "photoCount": {"type": "integer"},
          "firstPhotoDay": {"$ref": "#/components/schemas/Day"},
          "lastPhotoDay": {"$ref": "#/components/schemas/Day"},
          "daysSinceLastPhoto": {"type": "integer"},
          "latestPhotos": {"type": "array", "items": {"type": "string"}},
          "deletedAt": {"$ref": "#/components/schemas/Time"},
          "firstPhoto": {
            "type": "object",
            "properties": {"id": {"$ref": "#/components/schemas/Id"}, "occurredAt": {"$ref": "#/components/schemas/Time"}},
            "additionalProperties": false,
            "required": ["id", "occurredAt"]
          },
          "lastPhoto": {
            "type": "object",
            "properties": {"id": {"$ref": "#/components/schemas/Id"}, "occurredAt": {"$ref": "#/components/schemas/Time"}},
            "additionalProperties": false,
            "required": ["id", "occurredAt"]
          },
          "ageDays": {"type": "integer"},
          "medianDaysBetweenPhotos": {"type": "number"},
          "months": {"type": "array", "items": {"$ref": "#/components/schemas/Bucket"}},
          "entryCount": {"type": "integer"}
        },
        "additionalProperties": false,
        "required": ["id", "name", "photoCount", "latestPhotos", "months", "entryCount"]
      },
      "Activity": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/Id"},
          "name": {"type": "string"},
          "emoji": {"type": "string"},
          "category": {"type": "string"},
          "startFrom": {"$ref": "#/components/schemas/Day"},
          "plant": {"$ref": "#/components/schemas/PlantReference"},
          "notes": {"type": "string"},
          "everyDays": {"type": "integer"},
          "weeklyGoal": {"type": "integer"},
          "monthlyGoal": {"type": "integer"},
          "iconName": {"type": "string"},
          "place": {"type": "integer"},
          "createdAt": {"$ref": "#/components/schemas/Time"},
          "lastDone": {"$ref": "#/components/schemas/Day"},
          "daysSince": {"type": "integer"},
          "doneToday": {"type": "boolean"},
          "dueOn": {"$ref": "#/components/schemas/Day"},
          "isDue": {"type": "boolean"},
          "completionCount": {"type": "integer"}
        },
        "additionalProperties": false,
        "required": [
          "id",
          "name",
          "emoji",
          "category",
          "startFrom",
          "place",
          "createdAt",
          "daysSince",
          "doneToday",
          "isDue",
          "completionCount"
        ]
      },
      "ActivityRecord": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/Id"},
          "name": {"type": "string"},
          "emoji": {"type": "string"},
          "category": {"type": "string"},
          "startFrom": {"$ref": "#/components/schemas/Day"},
          "plant": {"$ref": "#/components/schemas/PlantReference"},
          "notes": {"type": "string"},
          "everyDays": {"type": "integer"},
          "weeklyGoal": {"type": "integer"},
          "monthlyGoal": {"type": "integer"},
          "iconName": {"type": "string"},
          "place": {"type": "integer"},
          "createdAt": {"$ref": "#/components/schemas/Time"},
          "lastDone": {"$ref": "#/components/schemas/Day"},
          "daysSince": {"type": "integer"},
          "doneToday": {"type": "boolean"},
          "dueOn": {"$ref": "#/components/schemas/Day"},
          "isDue": {"type": "boolean"},
          "completionCount": {"type": "integer"},
          "currentStreak": {
            "type": "object",
            "properties": {
              "count": {"type": "integer"},
              "firstDay": {"$ref": "#/components/schemas/Day"},
              "lastDay": {"$ref": "#/components/schemas/Day"}
            },
            "additionalProperties": false,
            "required": ["count", "firstDay", "lastDay"]
          },
          "longestStreak": {
            "type": "object",
            "properties": {
              "count": {"type": "integer"},
              "firstDay": {"$ref": "#/components/schemas/Day"},
              "lastDay": {"$ref": "#/components/schemas/Day"}
            },
            "additionalProperties": false,
            "required": ["count", "firstDay", "lastDay"]
          },
          "thisWeek": {
            "type": "object",
            "properties": {"count": {"type": "integer"}, "goal": {"type": "integer"}, "isReached": {"type": "boolean"}},
            "additionalProperties": false,
            "required": ["count"]
          },
          "thisMonth": {
            "type": "object",
            "properties": {"count": {"type": "integer"}, "goal": {"type": "integer"}, "isReached": {"type": "boolean"}},
            "additionalProperties": false,
            "required": ["count"]
          },
          "months": {"type": "array", "items": {"$ref": "#/components/schemas/Bucket"}},
          "calendar": {
            "type": "object",
            "properties": {
              "month": {"type": "string"},
              "days": {"type": "array", "items": {"$ref": "#/components/schemas/Day"}}
            },
            "additionalProperties": false,
            "required": ["month", "days"]
          }
        },
        "additionalProperties": false,
        "required": [
          "id",
          "name",
          "emoji",
          "category",
          "startFrom",
          "place",
          "createdAt",
          "daysSince",
          "doneToday",
          "isDue",
          "completionCount",
          "thisWeek",
          "thisMonth",
          "months",
          "calendar"
        ]
      },
      "Quote": {
        "type": "object",
        "properties": {
          "id": {"type": "string"},
          "text": {"type": "string"},
          "author": {"type": "string"},
          "source": {"type": "string"},
          "origin": {"type": "string", "enum": ["bundled", "own", "zenquotes"]},
          "favourite": {"type": "boolean"},
          "day": {"$ref": "#/components/schemas/Day"},
          "entry": {"type": "string"},
          "occurredAt": {"$ref": "#/components/schemas/Time"},
          "changed": {"type": "boolean"}
        },
        "additionalProperties": false,
        "required": ["id", "text", "origin", "favourite"]
      },
      "Today": {
        "type": "object",
        "properties": {
          "day": {"$ref": "#/components/schemas/Day"},
          "activeEpisodes": {"type": "array", "items": {"$ref": "#/components/schemas/Entry"}},
          "dailyLog": {"$ref": "#/components/schemas/Entry"},
          "loggingStreakDays": {"type": "integer"},
          "symptoms": {"type": "array", "items": {"$ref": "#/components/schemas/Entry"}},
          "mood": {"$ref": "#/components/schemas/Entry"},
          "quote": {"$ref": "#/components/schemas/Quote"},
          "activitiesDue": {"type": "array", "items": {"$ref": "#/components/schemas/Activity"}},
          "activitiesDone": {"type": "array", "items": {"$ref": "#/components/schemas/Activity"}},
          "photos": {
            "type": "object",
            "properties": {
              "count": {"type": "integer"},
              "latest": {"type": "array", "items": {"$ref": "#/components/schemas/Entry"}}
            },
            "additionalProperties": false,
            "required": ["count", "latest"]
          },
          "onThisDay": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "day": {"$ref": "#/components/schemas/Day"},
                "photos": {
                  "type": "object",
                  "properties": {
                    "count": {"type": "integer"},
                    "latest": {"type": "array", "items": {"$ref": "#/components/schemas/Entry"}}
                  },
                  "additionalProperties": false,
                  "required": ["count", "latest"]
                },
                "entries": {"type": "array", "items": {"$ref": "#/components/schemas/Entry"}}
              },
              "additionalProperties": false,
              "required": ["day", "photos", "entries"]
            }
          }
        },
        "additionalProperties": false,
        "required": [
          "day",
          "activeEpisodes",
          "loggingStreakDays",
          "symptoms",
          "activitiesDue",
          "activitiesDone",
          "photos",
          "onThisDay"
        ]
      },
      "SearchPage": {
        "type": "object",
        "properties": {
          "plants": {"type": "array", "items": {"$ref": "#/components/schemas/Plant"}},
          "items": {"type": "array", "items": {"$ref": "#/components/schemas/Entry"}},
          "next": {"type": ["string", "null"]},
          "previous": {"type": ["string", "null"]}
        },
        "additionalProperties": false,
        "required": ["plants", "items", "next", "previous"]
      },
      "LogSummary": {
        "type": "object",
        "properties": {
          "dayCount": {"type": "integer"},
          "loggedDayCount": {"type": "integer"},
          "averageSleepHours": {"type": "number"},
          "averageSleepQuality": {"type": "number"},
          "averageStress": {"type": "number"},
          "averageExerciseMinutes": {"type": "number"},
          "officeDayCount": {"type": "integer"},
          "sickContactDayCount": {"type": "integer"},
          "humidifierDayCount": {"type": "integer"},
          "alcoholDayCount": {"type": "integer"},
          "sugarDayCounts": {"type": "object", "additionalProperties": {"type": "integer"}}
        },
        "additionalProperties": false,
        "required": [
          "dayCount",
          "loggedDayCount",
          "officeDayCount",
          "sickContactDayCount",
          "humidifierDayCount",
          "alcoholDayCount",
          "sugarDayCounts"
        ]
      },
      "Insights": {
        "type": "object",
        "properties": {
          "firstDay": {"$ref": "#/components/schemas/Day"},
          "lastDay": {"$ref": "#/components/schemas/Day"},
          "disclaimer": {"type": "string"},
          "mucusNote": {"type": "string"},
          "episodeCounts": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {"days": {"type": "integer"}, "count": {"type": "integer"}},
              "additionalProperties": false,
              "required": ["days", "count"]
            }
          },
          "meanDurationDays": {"type": "number"},
          "episodes": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "id": {"$ref": "#/components/schemas/Id"},
                "firstDay": {"$ref": "#/components/schemas/Day"},
                "lastDay": {"$ref": "#/components/schemas/Day"},
                "dayCount": {"type": "integer"},
                "isOngoing": {"type": "boolean"},
                "notes": {"type": "string"},
                "episode": {"$ref": "#/components/schemas/Episode"}
              },
              "additionalProperties": false,
              "required": ["id", "firstDay", "isOngoing", "episode"]
            }
          },
          "episodeSymptoms": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {"name": {"type": "string"}, "count": {"type": "integer"}, "averageSeverity": {"type": "number"}},
              "additionalProperties": false,
              "required": ["name", "count"]
            }
          },
          "loggedSymptoms": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {"name": {"type": "string"}, "count": {"type": "integer"}, "averageSeverity": {"type": "number"}},
              "additionalProperties": false,
              "required": ["name", "count"]
            }
          },
          "severityByWeek": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "day": {"$ref": "#/components/schemas/Day"},
                "count": {"type": "integer"},
                "averageSeverity": {"type": "number"}
              },
              "additionalProperties": false,
              "required": ["day", "count", "averageSeverity"]
            }
          },
          "symptomDays": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "day": {"$ref": "#/components/schemas/Day"},
                "count": {"type": "integer"},
                "averageSeverity": {"type": "number"}
              },
              "additionalProperties": false,
              "required": ["day", "count", "averageSeverity"]
            }
          },
          "logs": {"$ref": "#/components/schemas/LogSummary"},
          "logsByWeek": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {"day": {"$ref": "#/components/schemas/Day"}, "logs": {"$ref": "#/components/schemas/LogSummary"}},
              "additionalProperties": false,
              "required": ["day", "logs"]
            }
          },
          "baseline": {"$ref": "#/components/schemas/LogSummary"},
          "triggerWindows": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "episode": {"$ref": "#/components/schemas/Id"},
                "type": {"type": "string", "enum": ["cold", "cough", "fever", "sinus", "allergy", "other"]},
                "firstDay": {"$ref": "#/components/schemas/Day"},
                "lastDay": {"$ref": "#/components/schemas/Day"},
                "logs": {"$ref": "#/components/schemas/LogSummary"}
              },
              "additionalProperties": false,
              "required": ["episode", "type", "firstDay", "lastDay", "logs"]
            }
          }
        },
        "additionalProperties": false,
        "required": [
          "firstDay",
          "lastDay",
          "disclaimer",
          "episodeCounts",
          "episodes",
          "episodeSymptoms",
          "loggedSymptoms",
          "severityByWeek",
          "symptomDays",
          "logs",
          "logsByWeek",
          "baseline",
          "triggerWindows"
        ]
      },
      "Change": {
        "type": "object",
        "properties": {
          "id": {"type": "integer", "description": "Its number, by which it is undone."},
          "kind": {"type": "string"},
          "command": {"type": "string", "description": "The command or request that made it."},
          "at": {"$ref": "#/components/schemas/Time"},
          "undone": {"type": "boolean"},
          "counts": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "thing": {"type": "string"},
                "added": {"type": "integer"},
                "changed": {"type": "integer"},
                "deleted": {"type": "integer"}
              },
              "additionalProperties": false,
              "required": ["thing", "added", "changed", "deleted"]
            }
          }
        },
        "additionalProperties": false,
        "required": ["id", "kind", "at", "undone", "counts"]
      },
      "History": {
        "type": "object",
        "properties": {
          "items": {"type": "array", "items": {"$ref": "#/components/schemas/Change"}},
          "next": {"type": ["integer", "null"]}
        },
        "additionalProperties": false,
        "required": ["items", "next"]
      },
      "Edit": {
        "type": "object",
        "properties": {
          "items": {"type": "array", "items": {"$ref": "#/components/schemas/Entry"}},
          "next": {"type": ["string", "null"]},
          "unchanged": {"type": "integer"},
          "failed": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {"id": {"type": "string"}, "message": {"type": "string"}},
              "additionalProperties": false,
              "required": ["id", "message"]
            }
          }
        },
        "additionalProperties": false,
        "required": ["items", "next", "unchanged", "failed"],
        "description": "Entries that were edited together."
      },
      "Outcome": {
        "type": "object",
        "properties": {
          "path": {"type": "string", "description": "The file's name."},
          "outcome": {"type": "string", "enum": ["added", "duplicate", "restored", "skipped", "failed"]},
          "reason": {"type": "string"},
          "message": {"type": "string"},
          "photo": {"$ref": "#/components/schemas/Id"},
          "plant": {"type": "string"},
          "capturedAt": {"$ref": "#/components/schemas/Time"},
          "captureSource": {"type": "string"},
          "sourceByteCount": {"type": "integer"},
          "storedByteCount": {"type": "integer"},
          "warnings": {"type": "array", "items": {"type": "string"}}
        },
        "additionalProperties": false,
        "required": ["path", "outcome"],
        "description": "The outcome of importing a file."
      },
      "Upload": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/Id"},
          "name": {"type": "string"},
          "offset": {"type": "integer", "description": "How many bytes have come."},
          "byteCount": {"type": "integer", "description": "Of the whole file."}
        },
        "additionalProperties": false,
        "required": ["id", "name", "offset"]
      },
      "Tag": {
        "type": "object",
        "properties": {
          "tag": {"type": "string"},
          "count": {"type": "integer"},
          "lastDay": {"$ref": "#/components/schemas/Day"}
        },
        "additionalProperties": false,
        "required": ["tag", "count", "lastDay"]
      },
      "SymptomName": {
        "type": "object",
        "properties": {
          "name": {"type": "string"},
          "count": {"type": "integer"},
          "lastDay": {"$ref": "#/components/schemas/Day"}
        },
        "additionalProperties": false,
        "required": ["name", "count", "lastDay"]
      },
      "Statistics": {
        "type": "object",
        "properties": {
          "photos": {"type": "integer"},
          "plants": {"type": "integer"},
          "entries": {"type": "object", "additionalProperties": {"type": "integer"}},
          "sourceByteCount": {"type": "integer"},
          "storedByteCount": {"type": "integer"},
          "renditions": {
            "type": "object",
            "additionalProperties": {
              "type": "object",
              "properties": {"count": {"type": "integer"}, "byteCount": {"type": "integer"}},
              "additionalProperties": false,
              "required": ["count", "byteCount"]
            }
          },
          "unreferenced": {
            "type": "object",
            "properties": {"count": {"type": "integer"}, "byteCount": {"type": "integer"}},
            "additionalProperties": false,
            "required": ["count", "byteCount"]
          },
          "cache": {
            "type": "object",
            "properties": {"byteCount": {"type": "integer"}, "limit": {"type": "integer"}},
            "additionalProperties": false,
            "required": ["byteCount", "limit"]
          }
        },
        "additionalProperties": false,
        "required": [
          "photos",
          "plants",
          "entries",
          "sourceByteCount",
          "storedByteCount",
          "renditions",
          "unreferenced",
          "cache"
        ]
      },
      "About": {
        "type": "object",
        "properties": {
          "version": {"type": "string"},
          "licence": {"type": "string"},
          "copyright": {"type": "string"},
          "privacy": {"type": "string"},
          "disclaimer": {"type": "string"}
        },
        "additionalProperties": false,
        "required": ["version", "licence", "copyright", "privacy", "disclaimer"]
      },
      "Settings": {"type": "object", "additionalProperties": {"type": "string"}},
      "Token": {
        "type": "object",
        "properties": {
          "id": {"$ref": "#/components/schemas/Id"},
          "name": {"type": "string"},
          "createdAt": {"$ref": "#/components/schemas/Time"},
          "lastUsedAt": {"$ref": "#/components/schemas/Time"},
          "secret": {"type": "string", "description": "Shown once."}
        },
        "additionalProperties": false,
        "required": ["id", "name", "createdAt"]
      },
      "Session": {
        "type": "object",
        "properties": {
          "token": {"oneOf": [{"$ref": "#/components/schemas/Token"}, {"type": "null"}]},
          "requiresToken": {"type": "boolean"}
        },
        "additionalProperties": false,
        "required": ["token", "requiresToken"]
      },
      "Job": {
        "type": "object",
        "properties": {
          "id": {"type": "string"},
          "kind": {"type": "string"},
          "request": {"type": "object"},
          "state": {"type": "string", "enum": ["waiting", "running", "done", "failed", "cancelled", "interrupted"]},
          "progress": {
            "type": "object",
            "properties": {
              "done": {"type": "integer"},
              "total": {"type": "integer"},
              "unit": {"type": "string", "enum": ["files", "photos", "percent", "steps"]},
              "current": {"type": "string"}
            },
            "additionalProperties": false,
            "required": ["done", "unit"]
          },
          "createdAt": {"$ref": "#/components/schemas/Time"},
          "startedAt": {"$ref": "#/components/schemas/Time"},
          "endedAt": {"$ref": "#/components/schemas/Time"},
          "result": {"type": "object"},
          "file": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "mediaType": {"type": "string"}, "byteCount": {"type": "integer"}},
            "additionalProperties": false,
            "required": ["name", "mediaType", "byteCount"]
          },
          "problem": {
            "type": "object",
            "properties": {"code": {"type": "string"}, "detail": {"type": "string"}, "remedy": {"type": "string"}},
            "additionalProperties": false,
            "required": ["detail"]
          },
          "retryOf": {"type": "string"}
        },
        "additionalProperties": false,
        "required": ["id", "kind", "request", "state", "createdAt"]
      }
    },
    "parameters": {
      "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "schema": {
          "type": "string",
          "description": "Makes the request happen once, however often it is sent within a day.",
          "pattern": "^[A-Za-z0-9_-]{1,200}$"
        }
      },
      "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "schema": {
          "type": "string",
          "description": "The ETag that was read; another version is not edited (412).",
          "minLength": 1
        }
      },
      "Entry": {
        "name": "id",
        "in": "path",
        "required": true,
        "schema": {"$ref": "#/components/schemas/IdOrPrefix"},
        "description": "Of an entry, or an unambiguous start of it."
      },
      "Name": {
        "name": "name",
        "in": "path",
        "required": true,
        "schema": {"type": "string", "description": "A name or an id.", "minLength": 1, "maxLength": 80},
        "description": "A name, or an id."
      },
      "Day": {
        "name": "day",
        "in": "path",
        "required": true,
        "schema": {"oneOf": [{"$ref": "#/components/schemas/PastDay"}, {"const": "today", "type": "string"}]},
        "description": "A day, or `today`."
      },
      "Change": {
        "name": "id",
        "in": "path",
        "required": true,
        "schema": {"oneOf": [{"type": "integer", "minimum": 1, "maximum": 1000000}, {"type": "string", "const": "last"}]},
        "description": "The number of a change, or `last`."
      },
      "Quote": {
        "name": "id",
        "in": "path",
        "required": true,
        "schema": {"type": "string", "description": "Of a quote.", "minLength": 1, "maxLength": 40},
        "description": "Of a quote."
      },
      "Upload": {
        "name": "id",
        "in": "path",
        "required": true,
        "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "description": "Of an upload."
      },
      "Kind": {
        "name": "kind",
        "in": "query",
        "schema": {
          "type": "array",
          "items": {"type": "string", "enum": ["photo", "symptom", "dailyLog", "episode", "mood", "quote", "completion"]}
        },
        "description": "Repeated for several."
      },
      "Tag": {"name": "tag", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
      "Favourite": {"name": "favourite", "in": "query", "schema": {"type": "boolean"}},
      "From": {"name": "from", "in": "query", "schema": {"$ref": "#/components/schemas/Day"}},
      "To": {"name": "to", "in": "query", "schema": {"$ref": "#/components/schemas/Day"}},
      "Deleted": {"name": "deleted", "in": "query", "schema": {"type": "boolean"}, "description": "Those in the trash."},
      "OldestFirst": {"name": "oldestFirst", "in": "query", "schema": {"type": "boolean"}},
      "Plant": {"name": "plant", "in": "query", "schema": {"type": "string"}, "description": "A name or an id."},
      "At": {
        "name": "at",
        "in": "query",
        "schema": {"type": "string", "pattern": "^0[0-7][0-9a-hjkmnp-tv-z]{26}$"},
        "description": "A page's `next` or `previous`: where the page begins."
      },
      "Around": {
        "name": "around",
        "in": "query",
        "schema": {"type": "boolean"},
        "description": "Whether `at` is the middle of the page."
      },
      "Limit": {
        "name": "limit",
        "in": "query",
        "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50}
      }
    },
    "responses": {
      "Problem": {
        "description": "It could not be done; the problem says why.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
      }
    }
  }
}
"""#
}
