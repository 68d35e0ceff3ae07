type Environment = Readonly<Record<string, string | undefined>>;

const loopback = ["127.0.0.1", "localhost"];

/** What keeps a CLI's requests to this machine away from the proxies that the environment names. */
export function toLoopbackEnv(env: Environment): Readonly<Record<string, string>> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  if (!names.some((name) => env[name])) return {};
  // Programs differ in which of the two they read: both get everything.
  const known = [env.NO_PROXY, env.no_proxy].flatMap((list) => list?.split(/[\s,]+/) ?? []);
  const exceptions = [...new Set([...known, ...loopback])].filter((host) => host !== "").join(",");
  return { NO_PROXY: exceptions, no_proxy: exceptions };
}
