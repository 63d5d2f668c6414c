import { memoizeAsync } from '../kernel/work/memoize-async'

export { accessMigration } from './migrations'
export { countLiveCredentials } from './queries/tokens'
export { type CallFacts, judgeLocalTrust, type TrustVerdict } from './rules/local-trust'
export { EmailAddress } from './schemas'
export type { AccessPolicy } from './services/access-policy'
export type { Membership, Session } from './services/console-sessions'
export {
  credentialStates,
  formatCredential,
  judgeState,
  parseExpiry,
  parsePublicPrefix,
  SECRET_LENGTH,
} from './services/credential'
export {
  IdempotencyStore,
  type IdempotentAnswer,
  type IdempotentCall,
} from './services/idempotency-store'
export { issueCredential } from './services/issue-credential'
export type { JwtIssuer } from './services/jwt-issuer'
export type { MailLinks } from './services/people/mail-links'
export type { People } from './services/people/people'
export type { PortalSession } from './services/portal-sessions'
export { findOrCreateTenantId, findTenantId } from './services/tenants'
export {
  type BadCredential,
  findByHash,
  hashCredential,
  recordUse,
  type User,
  verifyTenantKey,
  verifyToken,
} from './services/verify-credential'
export type { VerifyJwt } from './services/verify-jwt'

/** Verifies the JWTs of the issuer in the settings. Throws if its key cannot be used. */
export async function openJwtVerifier(
  settings: Parameters<typeof import('./services/jwt-issuer').loadJwtIssuer>[0],
): Promise<import('./services/verify-jwt').VerifyJwt> {
  const [{ createJwtVerifier }, { loadJwtIssuer }] = await Promise.all([
    import('./services/verify-jwt'),
    import('./services/jwt-issuer'),
  ])
  return createJwtVerifier(loadJwtIssuer(settings))
}

/** The sessions of the console, and the links that open them. Only a service reads them. */
export function loadConsoleSessions(): Promise<typeof import('./services/console-sessions')> {
  return import('./services/console-sessions')
}

/** The links and the sessions of the portal. Only a service has them. */
export function loadPortalSessions(): Promise<typeof import('./services/portal-sessions')> {
  return import('./services/portal-sessions')
}

/** Which callers a service accepts. Only what starts or checks one needs it. */
export function loadAccessPolicy(): Promise<typeof import('./services/access-policy')> {
  return import('./services/access-policy')
}

/** Checks whether a service can listen there. */
export async function inspectPort(
  address: import('./services/inspect-port').ListenAddress,
  options: { timeoutMs: number },
): Promise<import('../storage').Finding> {
  return (await import('./services/inspect-port')).inspectPort(address, options)
}

/** Checks the provider with which people sign in to the console, if there is one. */
export async function inspectPeople(
  settings: import('./services/people/identity-provider').ProviderSettings | null,
  offline: boolean,
): Promise<import('../storage').Finding[]> {
  if (settings === null || offline) return []
  return [await (await import('./services/people/inspect-provider')).inspectProvider(settings)]
}

/** What sends people links to sign in, where the settings have a mail server and the address of the service; else null. */
export function openMailLinks(
  { mail, publicUrl }: { mail: import('../mail').MailSettings; publicUrl: string | null },
  parts: { db: import('../storage').Database; log: import('../kernel').Log } & Pick<
    import('../kernel').Context,
    'clock' | 'ids'
  >,
): import('./services/people/mail-links').MailLinks | null {
  if (publicUrl === null || mail.url === null || mail.from === null) return null
  const open = memoizeAsync(async () => {
    const [{ openMailServer }, { createMailLinks }] = await Promise.all([
      import('../mail'),
      import('./services/people/mail-links'),
    ])
    return createMailLinks({ ...parts, publicUrl, server: openMailServer(mail) })
  })
  return {
    send: async (email) => (await open()).send(email),
    sendToCarrier: async (email) => (await open()).sendToCarrier(email),
    close: () => void open.current?.then((links) => links.close()).catch(() => {}),
  }
}

/** The people of the provider in the settings. Its library is loaded for the first of them who signs in. */
export async function openPeople(
  settings: import('./services/people/identity-provider').ProviderSettings &
    import('./rules/person-claims').PeopleRules & { label: string },
  parts: { db: import('../storage').Database } & Pick<import('../kernel').Context, 'clock' | 'ids'>,
): Promise<import('./services/people/people').People> {
  const [{ createPeople }, { openIdentityProvider }, { createTokenSealer }] = await Promise.all([
    import('./services/people/people'),
    import('./services/people/identity-provider'),
    import('./services/people/seal-tokens'),
  ])
  const sealer = createTokenSealer(settings.clientSecret)
  return createPeople({ ...parts, provider: openIdentityProvider(settings), sealer, rules: settings })
}
