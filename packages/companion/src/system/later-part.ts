import { codeOf, messageOf } from "./error-message.ts";
/** A part of this program that is loaded when it is first needed could not be. A sentence for people. */
export class PartError extends Error {
  override readonly name = "PartError";
}

/** Something that is made when it is first needed, and then kept. */
export function createLaterPart<Part>(load: () => Promise<Part>) {
  let loading: Promise<Part> | undefined;
  return {
    /**
     * Makes it, unless it is made. After a failure the next one who needs it tries again.
     * @throws PartError
     */
    get(): Promise<Part> {
      loading ??= loadPart(load).catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return loading;
    },
    /** What there is of it, also if it is only just being made. Never throws. */
    made: async () => loading?.catch(() => undefined),
  };
}

/**
 * Imports modules that are not needed before.
 * @throws PartError
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    throw new PartError(`a part of ide-companion could not be loaded: ${explain(error)}`, { cause: error });
  }
}

const explain = (error: unknown): string => reasons[String(codeOf(error))] ?? messageOf(error);

const tooManyFiles = "too many files are open. When that is over, restart ide-companion.";

/** Before Node 22 a module that could not be read once is never read again. */
const reasons: Readonly<Record<string, string>> = {
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  ERR_MODULE_NOT_FOUND: "it is gone from the disk, as after an update. Restart ide-companion.",
};
