// Made from tools.ts by "npm run generate".

/** One tool as `tools/list` has it. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema: { type: "object"; [keyword: string]: JsonValue };
}

/** What `tools/list` answers to everybody. */
export const toolList: ListedTool[] = [
  {
    "name": "openDiff",
    "description": "Shows a proposed change of a file as a diff to review, edit, accept or reject. Answers at once; the decision follows as ide/diffAccepted or ide/diffRejected.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "filePath": {
          "type": "string",
          "description": "Absolute path of the file. It is echoed back exactly as it was sent."
        },
        "newContent": {
          "type": "string",
          "description": "The whole proposed content of the file."
        }
      },
      "required": [
        "filePath",
        "newContent"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "closeDiff",
    "description": "Closes the diff of a file and answers with its text as it stood, the user's edits included.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "filePath": {
          "type": "string",
          "description": "Absolute path of the file. It is echoed back exactly as it was sent."
        },
        "suppressNotification": {
          "description": "When true, no notification follows: the caller has already decided.",
          "type": "boolean"
        }
      },
      "required": [
        "filePath"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "acceptDiff",
    "description": "Accepts the caller's own open diff of a file, writes its text to the file, and sends ide/diffAccepted.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "filePath": {
          "type": "string",
          "description": "Absolute path of the file. It is echoed back exactly as it was sent."
        }
      },
      "required": [
        "filePath"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "rejectDiff",
    "description": "Rejects the caller's own open diff of a file and sends ide/diffRejected.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "filePath": {
          "type": "string",
          "description": "Absolute path of the file. It is echoed back exactly as it was sent."
        }
      },
      "required": [
        "filePath"
      ],
      "additionalProperties": false
    }
  }
];

/** What it may add, by what the editor can do. */
export const capabilityToolList: ListedTool[] = [
  {
    "name": "openFile",
    "description": "Shows a file in the user's editor, at a line when one is named.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "filePath": {
          "type": "string",
          "description": "Absolute path of the file."
        },
        "line": {
          "type": "integer",
          "minimum": 1,
          "maximum": 9007199254740991,
          "description": "1-based."
        },
        "character": {
          "type": "integer",
          "minimum": 1,
          "maximum": 9007199254740991,
          "description": "1-based, counted in UTF-16 code units."
        }
      },
      "required": [
        "filePath"
      ],
      "additionalProperties": false
    }
  },
  {
    "name": "getDiagnostics",
    "description": "What compilers, linters and language servers in the user's editor have found.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "filePath": {
          "description": "Absolute path of one file; without it, of all that the editor knows.",
          "type": "string"
        }
      },
      "additionalProperties": false
    }
  }
];

type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
