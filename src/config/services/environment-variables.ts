import { StudioError } from '../../kernel/errors'
import { TRACKER_KINDS_TEXT } from '../../tracker/adapters'

/** An environment variable, as help and docs show it. */
interface EnvironmentVariable {
  name: string
  /** Its key in a settings file: `tracker.url`; null if a file cannot set it. */
  key: string | null
  description: string
  /** The default in words; null if there is none. */
  default: string | null
}

type Row = [name: string, key: string | null, description: string, defaultText?: string]

const rows: readonly Row[] = [
  ['STUDIO_HOME', null, 'one folder for data, settings and state', 'the XDG folders'],
  ['STUDIO_DB', 'db', 'the database: a file, or a postgres:// address', 'studio.db in the data folder'],
  [
    'STUDIO_DB_READ',
    'dbRead',
    'the postgres:// address of replicas, for operations that only read',
    'the database itself',
  ],
  ['STUDIO_DB_PASSWORD_FILE', null, 'a file with the password for the postgres:// addresses that have none'],
  ['STUDIO_DB_TO', null, 'the target of studio db migrate, if it contains a password'],
  [
    'STUDIO_TRACKER_URL',
    'tracker.url',
    'the address of the tracker, with its organization, or of a repository on GitHub',
    'the sandbox, with a notice',
  ],
  ['STUDIO_TRACKER_PROJECT', 'tracker.project', 'the project in the tracker, by its key in Jira'],
  ['STUDIO_TRACKER_ACCOUNT', 'tracker.account', 'the e-mail address of the account of the token, for Jira Cloud'],
  ['STUDIO_TRACKER_KIND', 'tracker.kind', `the kind of the tracker: ${TRACKER_KINDS_TEXT}`, 'the address decides'],
  [
    'STUDIO_TRACKER_BOARD',
    'tracker.board',
    'the number of a GitHub project board, for its iterations and points',
    'milestones and labels such as points:5',
  ],
  [
    'STUDIO_TRACKER_TYPE_LABELS',
    'tracker.typeLabels',
    'labels of GitHub that mean a type: us=Story, enhancement=Feature',
    'labels such as feature, story and type: task',
  ],
  ['STUDIO_SANDBOX_NOTICE', 'tracker.sandboxNotice', 'off hides the notice that commands use the sandbox', 'on'],
  [
    'STUDIO_SANITIZE_ALSO',
    'sanitize.also',
    'optional kinds to remove from copies and from what the language model gets: iban, card, national-id, ip, mac',
    'none',
  ],
  ['STUDIO_TRACKER_TOKEN', null, 'a personal access token of the tracker'],
  [
    'STUDIO_TRACKER_TOKEN_COMMAND',
    'tracker.tokenCommand',
    'a command that prints a token of the tracker, such as gh auth token, if STUDIO_TRACKER_TOKEN is not set',
  ],
  [
    'STUDIO_TRACKER_TOKEN_<NAME>',
    null,
    'a personal access token of another tracker, such as STUDIO_TRACKER_TOKEN_GH for trackers.gh',
  ],
  [
    'STUDIO_TRACKER_TOKEN_COMMAND_<NAME>',
    null,
    'a command that prints a token of another tracker, such as STUDIO_TRACKER_TOKEN_COMMAND_GH for trackers.gh',
  ],
  ['STUDIO_LLM_HOST', 'llm.host', 'the address of the language model server', 'http://127.0.0.1:11434'],
  ['STUDIO_LLM_MODEL', 'llm.model', 'the language model', 'the first installed one'],
  ['STUDIO_LLM_API', 'llm.api', 'the API of that server: ollama or openai', 'ollama'],
  ['STUDIO_LLM_TOKEN', null, 'a token or API key of that server, for one that requires it'],
  [
    'STUDIO_LLM_TOKEN_COMMAND',
    'llm.tokenCommand',
    'a command that prints a token of that server, if STUDIO_LLM_TOKEN is not set',
  ],
  ['STUDIO_HOST', 'serve.host', 'the address on which studio serve listens', '127.0.0.1'],
  ['STUDIO_PORT', 'serve.port', 'the port on which it listens', '4317'],
  ['STUDIO_SOCKET', null, 'a Unix socket on which it listens instead'],
  ['STUDIO_ALLOWED_HOSTS', 'serve.allowedHosts', 'additional host names that requests may use'],
  ['STUDIO_TRUSTED_PROXIES', null, 'proxies whose X-Forwarded-For is trusted, as addresses, networks or unix'],
  ['STUDIO_AUTH', 'auth.local', 'always requires a credential from local callers too', 'local'],
  ['STUDIO_JWT_ISSUER', 'auth.jwt.issuer', 'the accepted issuer of JWTs'],
  ['STUDIO_JWT_AUDIENCE', 'auth.jwt.audience', 'the required audience of JWTs'],
  ['STUDIO_JWT_JWKS_URL', 'auth.jwt.jwksUrl', 'the address of the issuer’s public keys (JWKS)'],
  ['STUDIO_JWT_PUBLIC_KEY_FILE', 'auth.jwt.publicKeyFile', 'a file with the issuer’s public key, instead of the JWKS'],
  ['STUDIO_JWT_SECRET_FILE', 'auth.jwt.secretFile', 'a file with the shared secret, instead of the JWKS'],
  ['STUDIO_PUBLIC_URL', 'serve.publicUrl', 'where others reach the service, such as https://studio.example.com'],
  ['STUDIO_OIDC_ISSUER', 'auth.oidc.issuer', 'the OpenID Connect provider with which people sign in to the console'],
  ['STUDIO_OIDC_CLIENT_ID', 'auth.oidc.clientId', 'the ID of this service at the provider'],
  ['STUDIO_OIDC_CLIENT_SECRET', null, 'the secret of this service at the provider'],
  ['STUDIO_OIDC_CLIENT_SECRET_FILE', 'auth.oidc.clientSecretFile', 'a file with that secret'],
  ['STUDIO_OIDC_LABEL', 'auth.oidc.label', 'what the button for signing in says', 'the host of the issuer'],
  ['STUDIO_OIDC_SCOPES', 'auth.oidc.scopes', 'the scopes that the provider is asked for', 'openid profile email'],
  ['STUDIO_OIDC_ROLES_CLAIM', 'auth.oidc.rolesClaim', 'the claim that decides about roles', 'roles'],
  ['STUDIO_OIDC_ROLE_READER', 'auth.oidc.roles.reader', 'values of that claim that make a reader; * is everyone'],
  ['STUDIO_OIDC_ROLE_EDITOR', 'auth.oidc.roles.editor', 'values that make an editor'],
  ['STUDIO_OIDC_ROLE_PUBLISHER', 'auth.oidc.roles.publisher', 'values that make a publisher'],
  ['STUDIO_OIDC_ROLE_ADMIN', 'auth.oidc.roles.admin', 'values that make an administrator'],
  [
    'STUDIO_OIDC_ALLOWED_DOMAINS',
    'auth.oidc.allowedDomains',
    'domains of verified e-mail addresses that may sign in',
    'all',
  ],
  ['STUDIO_LOG', 'serve.log', 'how studio serve logs: json, pretty or off', 'off on a terminal, else json'],
  ['STUDIO_LOG_FILE', null, 'the log file of studio serve', 'standard error'],
  ['STUDIO_METRICS', 'serve.metrics', 'on enables /metrics', 'off'],
  [
    'STUDIO_PAGE_CACHE_MB',
    'serve.pageCacheMb',
    'the memory of studio serve for pages of the database, in megabytes',
    '64',
  ],
  [
    'STUDIO_RATE_LIMIT',
    'serve.rateLimit',
    'requests per second that one caller of studio serve may send, with bursts of five times as many; 0 for no limit',
    '200',
  ],
  [
    'STUDIO_CONCURRENT_CALLS',
    'serve.concurrentCalls',
    'reports, imports and other long calls that one caller of studio serve may have under way; 0 for no limit',
    '16',
  ],
  [
    'STUDIO_SYNC_EVERY_MINUTES',
    'serve.syncEveryMinutes',
    'how often studio serve synchronizes the work items with their trackers, in minutes; off for never',
    '5 if a tracker is set',
  ],
  ['STUDIO_SMTP_URL', 'smtp.url', 'the mail server, such as smtps://user:password@mail.example.com'],
  ['STUDIO_SMTP_FROM', 'smtp.from', 'the sender of mails, such as Docks <docks@example.com>'],
  [
    'STUDIO_WEBHOOK_NETWORKS',
    'webhooks.allowedNetworks',
    'networks that webhooks may be sent to besides the public Internet, such as 10.0.0.0/8',
    'none',
  ],
  ['STUDIO_AUDIT_KEEP_DAYS', 'audit.keepDays', 'how many days the entries of studio audit are stored', '365'],
  ['STUDIO_USER', 'user', 'the user that @me means'],
  ['STUDIO_TENANT', 'tenant', 'the tenant of the command line', 'default'],
  ['STUDIO_SEARCH_INDEX', 'search.index', 'off disables the search index in files', 'on'],
  ['STUDIO_DEBUG', null, 'any value prints the stack trace of errors'],
]

/** Every STUDIO_* variable. */
export const environmentVariables: readonly EnvironmentVariable[] = rows.map(
  ([name, key, description, defaultText = null]) => ({ name, key, description, default: defaultText }),
)

/** Returns null for an empty value. Throws `invalid` for any other value that is not one of the choices. */
export function parseChoice<Choice extends string>(
  value: string | undefined,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  if (!value) return null
  const choice = choices.find((each) => each === value)
  if (choice !== undefined) return choice
  throw new StudioError(
    'invalid',
    `${name} must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}, not "${value}".`,
  )
}
