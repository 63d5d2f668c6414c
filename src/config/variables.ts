/** A variable of the environment, as help and docs show it. */
export interface Variable {
  name: string
  about: string
  /** What holds where it is not set; null where nothing does. */
  default: string | null
  /** The same in a settings file: `tracker.url`. */
  key?: string
}

/** Every variable that studio reads, and that is its own. */
export const variables: readonly Variable[] = [
  { name: 'STUDIO_HOME', about: 'one folder for data, settings and state', default: 'the XDG folders' },
  {
    name: 'STUDIO_DB',
    key: 'db',
    about: 'the database: a file, or a postgres:// address',
    default: 'studio.db in the data folder',
  },
  { name: 'STUDIO_DB_TO', about: 'the target of studio db migrate, where it holds a password', default: null },
  {
    name: 'STUDIO_TRACKER_URL',
    key: 'tracker.url',
    about: 'the tracker, with its organization',
    default: 'the sandbox, with a notice',
  },
  { name: 'STUDIO_TRACKER_PROJECT', key: 'tracker.project', about: 'the project in the tracker', default: null },
  { name: 'STUDIO_TRACKER_TOKEN', about: 'a personal access token of the tracker', default: null },
  {
    name: 'STUDIO_LLM_HOST',
    key: 'llm.host',
    about: 'the language model’s address',
    default: 'http://127.0.0.1:11434',
  },
  { name: 'STUDIO_LLM_MODEL', key: 'llm.model', about: 'the model', default: 'the first that is installed' },
  {
    name: 'STUDIO_LLM_API',
    key: 'llm.api',
    about: 'what the model’s server speaks: ollama or openai',
    default: 'ollama',
  },
  { name: 'STUDIO_HOST', key: 'serve.host', about: 'where studio serve listens', default: '127.0.0.1' },
  { name: 'STUDIO_PORT', key: 'serve.port', about: 'on which port it listens', default: '4317' },
  { name: 'STUDIO_SOCKET', about: 'a Unix socket on which it listens instead', default: null },
  {
    name: 'STUDIO_ALLOWED_HOSTS',
    key: 'serve.allowedHosts',
    about: 'names beside its own that calls may come under',
    default: null,
  },
  {
    name: 'STUDIO_TRUSTED_PROXIES',
    about: 'proxies whose X-Forwarded-For names the caller, as addresses, networks or unix',
    default: null,
  },
  {
    name: 'STUDIO_AUTH',
    key: 'auth.local',
    about: 'always asks callers on this machine for a credential too',
    default: 'local',
  },
  { name: 'STUDIO_JWT_ISSUER', key: 'auth.jwt.issuer', about: 'whose JWTs are taken', default: null },
  { name: 'STUDIO_JWT_AUDIENCE', key: 'auth.jwt.audience', about: 'what those JWTs are for', default: null },
  {
    name: 'STUDIO_JWT_JWKS_URL',
    key: 'auth.jwt.jwksUrl',
    about: 'where their issuer publishes its keys',
    default: null,
  },
  {
    name: 'STUDIO_JWT_PUBLIC_KEY_FILE',
    key: 'auth.jwt.publicKeyFile',
    about: 'or the file with its public key',
    default: null,
  },
  {
    name: 'STUDIO_JWT_SECRET_FILE',
    key: 'auth.jwt.secretFile',
    about: 'or the file with the secret that is shared with it',
    default: null,
  },
  {
    name: 'STUDIO_LOG',
    key: 'serve.log',
    about: 'how studio serve logs: json, pretty or off',
    default: 'off on a terminal, else json',
  },
  { name: 'STUDIO_LOG_FILE', about: 'where it logs', default: 'standard error' },
  { name: 'STUDIO_METRICS', key: 'serve.metrics', about: 'on offers /metrics', default: 'off' },
  { name: 'STUDIO_USER', key: 'user', about: 'who @me is', default: null },
  { name: 'STUDIO_TENANT', key: 'tenant', about: 'whose docks the command line works on', default: 'default' },
  { name: 'STUDIO_SEARCH_INDEX', key: 'search.index', about: 'off keeps no search index in files', default: 'on' },
  { name: 'STUDIO_DEBUG', about: 'print where an error came from', default: null },
]
