import path from "node:path";

/** What decides where programs keep their files. */
export interface UserFoldersOptions {
  readonly platform: NodeJS.Platform;
  /** Absolute. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The folders of one user, absolute, in the system's own notation. */
export type UserFolders = ReturnType<typeof toUserFolders>;

/**
 * Where this user's files are. Most editors go by the XDG folders on macOS as well.
 * @see https://specifications.freedesktop.org/basedir-spec
 */
export function toUserFolders({ platform, home, env }: UserFoldersOptions) {
  const system = platform === "win32" ? path.win32 : path.posix;
  const join = (...names: readonly string[]) => system.join(...names);
  const inHome = (...names: readonly string[]) => join(home, ...names);
  // A relative one is to be ignored.
  const named = (name: string) => {
    const value = env[name];
    return value && system.isAbsolute(value) ? value : undefined;
  };
  const local = named("LOCALAPPDATA") ?? inHome("AppData", "Local");
  const roaming = named("APPDATA") ?? inHome("AppData", "Roaming");
  const isWindows = platform === "win32";
  const config = named("XDG_CONFIG_HOME") ?? (isWindows ? local : inHome(".config"));
  return {
    home,
    /** What each platform takes for its separator. */
    join,
    config,
    data: named("XDG_DATA_HOME") ?? (isWindows ? local : inHome(".local", "share")),
    state: named("XDG_STATE_HOME") ?? (isWindows ? local : inHome(".local", "state")),
    /** Roaming configuration on Windows; elsewhere the same as `config`. */
    roaming: isWindows ? roaming : config,
    /** Preferences of Qt's programs: a separate folder on macOS. */
    qtConfig: platform === "darwin" ? inHome("Library", "Preferences") : config,
  };
}
