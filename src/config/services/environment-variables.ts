import { StudioError } from '../../kernel/errors'

/** An environment variable, as help and docs show it. */
export interface EnvironmentVariable {
  name: string
  description: string
  /** The default in words; null if there is none. */
  default: string | null
  /** Its key in a settings file: `tracker.url`. */
  key?: string
}

/** Every STUDIO_* variable. */
export const environmentVariables: readonly EnvironmentVariable[] = [
  { name: 'STUDIO_HOME', description: 'one folder for data, settings and state', default: 'the XDG folders' },
  {
    name: 'STUDIO_DB',
    key: 'db',
    description: 'the database: a file, or a postgres:// address',
    default: 'studio.db in the data folder',
  },
  { name: 'STUDIO_DB_TO', description: 'the target of studio db migrate, if it contains a password', default: null },
  {
    name: 'STUDIO_TRACKER_URL',
    key: 'tracker.url',
    description: 'the address of the tracker, with its organization',
    default: 'the sandbox, with a notice',
  },
  { name: 'STUDIO_TRACKER_PROJECT', key: 'tracker.project', description: 'the project in the tracker', default: null },
  {
    name: 'STUDIO_SANDBOX_NOTICE',
    key: 'tracker.sandboxNotice',
    description: 'off hides the notice that commands use the sandbox',
    default: 'on',
  },
  {
    name: 'STUDIO_SANITIZE_ALSO',
    key: 'sanitize.also',
    description:
      'optional kinds that copies and stories for the language model lose too: iban, card, national-id, ip, mac',
    default: 'none',
  },
  { name: 'STUDIO_TRACKER_TOKEN', description: 'a personal access token of the tracker', default: null },
  {
    name: 'STUDIO_LLM_HOST',
    key: 'llm.host',
    description: 'the address of the language model server',
    default: 'http://127.0.0.1:11434',
  },
  { name: 'STUDIO_LLM_MODEL', key: 'llm.model', description: 'the language model', default: 'the first installed one' },
  {
    name: 'STUDIO_LLM_API',
    key: 'llm.api',
    description: 'the API of that server: ollama or openai',
    default: 'ollama',
  },
  {
    name: 'STUDIO_HOST',
    key: 'serve.host',
    description: 'the address on which studio serve listens',
    default: '127.0.0.1',
  },
  { name: 'STUDIO_PORT', key: 'serve.port', description: 'the port on which it listens', default: '4317' },
  { name: 'STUDIO_SOCKET', description: 'a Unix socket on which it listens instead', default: null },
  {
    name: 'STUDIO_ALLOWED_HOSTS',
    key: 'serve.allowedHosts',
    description: 'additional host names that requests may use',
    default: null,
  },
  {
    name: 'STUDIO_TRUSTED_PROXIES',
    description: 'proxies whose X-Forwarded-For is trusted, as addresses, networks or unix',
    default: null,
  },
  {
    name: 'STUDIO_AUTH',
    key: 'auth.local',
    description: 'always requires a credential from local callers too',
    default: 'local',
  },
  { name: 'STUDIO_JWT_ISSUER', key: 'auth.jwt.issuer', description: 'the accepted issuer of JWTs', default: null },
  {
    name: 'STUDIO_JWT_AUDIENCE',
    key: 'auth.jwt.audience',
    description: 'the required audience of JWTs',
    default: null,
  },
  {
    name: 'STUDIO_JWT_JWKS_URL',
    key: 'auth.jwt.jwksUrl',
    description: 'the address of the issuer’s public keys (JWKS)',
    default: null,
  },
  {
    name: 'STUDIO_JWT_PUBLIC_KEY_FILE',
    key: 'auth.jwt.publicKeyFile',
    description: 'a file with the issuer’s public key, instead of the JWKS',
    default: null,
  },
  {
    name: 'STUDIO_JWT_SECRET_FILE',
    key: 'auth.jwt.secretFile',
    description: 'a file with the shared secret, instead of the JWKS',
    default: null,
  },
  {
    name: 'STUDIO_LOG',
    key: 'serve.log',
    description: 'how studio serve logs: json, pretty or off',
    default: 'off on a terminal, else json',
  },
  { name: 'STUDIO_LOG_FILE', description: 'the log file of studio serve', default: 'standard error' },
  { name: 'STUDIO_METRICS', key: 'serve.metrics', description: 'on enables /metrics', default: 'off' },
  { name: 'STUDIO_USER', key: 'user', description: 'the user that @me stands for', default: null },
  { name: 'STUDIO_TENANT', key: 'tenant', description: 'the tenant of the command line', default: 'default' },
  {
    name: 'STUDIO_SEARCH_INDEX',
    key: 'search.index',
    description: 'off disables the search index in files',
    default: 'on',
  },
  { name: 'STUDIO_DEBUG', description: 'any value prints the stack trace of errors', default: null },
]

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
