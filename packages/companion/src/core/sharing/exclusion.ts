/** The patterns of a setting. Who has written something else than a list of texts wants to keep something: that keeps all. */
export function toPatterns(setting: unknown): readonly string[] {
  const isList = Array.isArray(setting) && setting.every((pattern) => typeof pattern === "string");
  return isList ? setting : ["*"];
}

/** Files that hold keys, passwords and tokens by custom. */
const secretFiles = [
  // Variables of programs, but not the examples that are made to be read.
  ".env* *.env *.env.* .dev.vars* *.tfvars *.tfvars.json *.tfstate* local.settings.json",
  "!.env.example !.env.sample !.env.template",
  // Private keys and what holds them; the public halves are for everybody.
  "*.pem *.key *.p8 *.p12 *.pfx *.pkcs12 *.ppk *.pvk *.jks *.jceks *.bks *.keystore *.keytab",
  "*.keychain *.keychain-db *.kdb *.kdbx *.psafe3 *.agilekeychain *.opvault *.1pux",
  "*.gpg *.pgp *.agekey *.ovpn *.mobileconfig",
  "id_rsa* id_dsa* id_ecdsa* id_ed25519* *_rsa *_dsa *_ecdsa *_ed25519 !id_*.pub",
  "**/.ssh/** **/.gnupg/** **/.password-store/** **/keyrings/** **/.pki/**",
  // Data named after what they hold: json, yaml, toml, txt and the like, but no source code.
  ...["secret", "credential", "passw", "api*key", "private*key", "access*token", "auth*token"].map((word) =>
    ["[jty]*[nlt]", "properties", "ini", "csv", "xml"].map((end) => `*${word}*.${end}`).join(" "),
  ),
  // Passwords and tokens of tools.
  ".npmrc .yarnrc* .pypirc pip.conf pip.ini .netrc* _netrc .authinfo* .pgpass pgpass.conf",
  ".my.cnf .mylogin.cnf *.htpasswd .htpasswd* .htdigest .git-credentials",
  ".vault-token* .vault*pass* vault*pass* .dockercfg .terraformrc .s3cfg .boto .curlrc",
  "rclone.conf sftp-config.json .ftpconfig filezilla.xml recentservers.xml sitemanager.xml",
  ".databrickscfg .msmtprc .mbsyncrc .fetchmailrc .muttrc service*account*.json auth.json",
  "oauth*creds*.json wp-config.php cookies.txt .*_history kubeconfig* *.kubeconfig",
  "**/.docker/config.json **/.kube/** **/.aws/** **/.azure/** **/.oci/** **/gcloud/**",
  "**/.gem/credentials **/.cargo/credentials* **/.terraform.d/credentials* **/.m2/settings*.xml",
  "**/.gradle/gradle.properties **/gh/hosts.yml **/glab-cli/** **/.config/op/**",
  // What tools write for an editor to change a secret in.
  "**/pass.*/** **/gopass*/** **/ansible-local-*/** kubectl-edit-*",
];

/** Agents hear of none of those unless the user says so. As in a `.gitignore`; what begins with `!` is shared all the same. */
export const defaultExclusions: readonly string[] = secretFiles.flatMap((names) => names.split(" "));

/** What a user allows the agents, as options, a configuration file or an editor's settings say. */
export interface UserRules {
  /** Files that agents do not receive, besides those that nobody shares by default; as in a `.gitignore`. */
  readonly exclude: readonly string[];
  readonly excludeGitIgnored: boolean;
  /** Whether an agent may accept its own changes. */
  readonly agentAccept: boolean;
  /** Whether what an agent writes is listed under the first line of its prompt: hooks keep that. */
  readonly turnTitles: boolean;
  /** What could not be understood: sentences for the user. */
  readonly problems: readonly string[];
}

export const noRules: UserRules = {
  exclude: [],
  excludeGitIgnored: false,
  agentAccept: true,
  turnTitles: true,
  problems: [],
};

/** Who has written something that cannot be understood wanted to keep something: that keeps all. */
export const strictRules = (problem: string): UserRules => ({
  exclude: ["*"],
  excludeGitIgnored: true,
  agentAccept: false,
  turnTitles: false,
  problems: [`${problem}. Until that is put right nothing is shared with agents.`],
});

const isText = (value: unknown): value is string => typeof value === "string";

/**
 * Reads settings of ours from JSON. Names that are not ours are passed over.
 * @param source for people: where it was written
 */
export function parseUserRules(value: unknown, source: string): UserRules {
  if (value === undefined || value === null) return noRules;
  if (typeof value !== "object" || Array.isArray(value)) {
    return strictRules(`${source} must hold an object, got ${JSON.stringify(value)}`);
  }
  const { exclude = [], ...others }: Readonly<Record<string, unknown>> = { ...value };
  if (!Array.isArray(exclude) || !exclude.every(isText)) {
    return strictRules(`${source}: exclude must be a list of texts, got ${JSON.stringify(exclude)}`);
  }
  const { excludeGitIgnored, agentAccept, turnTitles } = noRules;
  const flags = { excludeGitIgnored, agentAccept, turnTitles };
  for (const name of ["excludeGitIgnored", "agentAccept", "turnTitles"] as const) {
    const given = name in others ? others[name] : flags[name];
    if (typeof given !== "boolean")
      return strictRules(`${source}: ${name} must be true or false, got ${JSON.stringify(given)}`);
    flags[name] = given;
  }
  return { exclude, ...flags, problems: [] };
}

/** What one of them keeps is kept; of patterns the later ones have the last word. */
export function combineRules(...rules: readonly UserRules[]): UserRules {
  return {
    exclude: rules.flatMap(({ exclude }) => exclude),
    excludeGitIgnored: rules.some(({ excludeGitIgnored }) => excludeGitIgnored),
    agentAccept: rules.every(({ agentAccept }) => agentAccept),
    turnTitles: rules.every(({ turnTitles }) => turnTitles),
    problems: rules.flatMap(({ problems }) => problems),
  };
}
