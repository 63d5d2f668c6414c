/** A variable of the environment, as help and docs show it. */
export interface EnvironmentVariable {
  name: string
  description: string
  /** What holds where it is not set; null where nothing does. */
  default: string | null
  /** The same in a settings file: `tracker.url`. */
  key?: string
}

/** Every variable that studio reads, and that is its own. */
export const environmentVariables: readonly EnvironmentVariable[] = [
  { name: 'STUDIO_HOME', description: 'one folder for data, settings and state', default: 'the XDG folders' },
  {
    name: 'STUDIO_DB',
    key: 'db',
    description: 'the database: a file, or a postgres:// address',
    default: 'studio.db in the data folder',
  },
  { name: 'STUDIO_DB_TO', description: 'the target of studio db migrate, where it holds a password', default: null },
  {
    name: 'STUDIO_TRACKER_URL',
    key: 'tracker.url',
    description: 'the tracker, with its organization',
    default: 'the sandbox, with a notice',
  },
  { name: 'STUDIO_TRACKER_PROJECT', key: 'tracker.project', description: 'the project in the tracker', default: null },
  {
    name: 'STUDIO_SANDBOX_NOTICE',
    key: 'tracker.sandboxNotice',
    description: 'off shows no notice that commands work on the sandbox',
    default: 'on',
  },
  { name: 'STUDIO_TRACKER_TOKEN', description: 'a personal access token of the tracker', default: null },
  {
    name: 'STUDIO_LLM_HOST',
    key: 'llm.host',
    description: 'the language model’s address',
    default: 'http://127.0.0.1:11434',
  },
  { name: 'STUDIO_LLM_MODEL', key: 'llm.model', description: 'the model', default: 'the first that is installed' },
  {
    name: 'STUDIO_LLM_API',
    key: 'llm.api',
    description: 'the API of the model’s server: ollama or openai',
    default: 'ollama',
  },
  { name: 'STUDIO_HOST', key: 'serve.host', description: 'where studio serve listens', default: '127.0.0.1' },
  { name: 'STUDIO_PORT', key: 'serve.port', description: 'on which port it listens', default: '4317' },
  { name: 'STUDIO_SOCKET', description: 'a Unix socket on which it listens instead', default: null },
  {
    name: 'STUDIO_ALLOWED_HOSTS',
    key: 'serve.allowedHosts',
    description: 'additional host names that requests may use',
    default: null,
  },
  {
    name: 'STUDIO_TRUSTED_PROXIES',
    description: 'proxies whose X-Forwarded-For names the caller, as addresses, networks or unix',
    default: null,
  },
  {
    name: 'STUDIO_AUTH',
    key: 'auth.local',
    description: 'always requires a credential from callers on this machine too',
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
    description: 'or a file with the issuer’s public key',
    default: null,
  },
  {
    name: 'STUDIO_JWT_SECRET_FILE',
    key: 'auth.jwt.secretFile',
    description: 'or a file with the shared secret',
    default: null,
  },
  {
    name: 'STUDIO_LOG',
    key: 'serve.log',
    description: 'how studio serve logs: json, pretty or off',
    default: 'off on a terminal, else json',
  },
  { name: 'STUDIO_LOG_FILE', description: 'where it logs', default: 'standard error' },
  { name: 'STUDIO_METRICS', key: 'serve.metrics', description: 'on offers /metrics', default: 'off' },
  { name: 'STUDIO_USER', key: 'user', description: 'the user that @me stands for', default: null },
  { name: 'STUDIO_TENANT', key: 'tenant', description: 'the tenant of the command line', default: 'default' },
  {
    name: 'STUDIO_SEARCH_INDEX',
    key: 'search.index',
    description: 'off disables the search index in files',
    default: 'on',
  },
  { name: 'STUDIO_DEBUG', description: 'prints the stack trace of errors', default: null },
]
