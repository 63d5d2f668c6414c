import { type DeviceProvider, mayReceiveToken } from '../credentials'
import { StudioError } from '../kernel'
import { getAdapter, type TrackerKind } from './adapters'
import { ENTRA_RESOURCE, isHosted } from './azure-devops/description'

const AZURE_DEVOPS_SCOPE = `${ENTRA_RESOURCE}/.default offline_access`
/** To read and write issues, and to read boards. */
const GITHUB_SCOPE = 'repo read:project'

/** The identity provider of a tracker. Throws `invalid` for one without a sign-in on another device. */
export function getLoginProvider(
  { kind, url }: { kind: TrackerKind; url: string },
  { clientId, tenant }: { clientId: string; tenant: string | null },
): DeviceProvider {
  const { origin, hostname } = new URL(url)
  if (!mayReceiveToken(url))
    throw new StudioError('invalid', `studio does not sign in to ${origin}, because it is not encrypted.`, {
      hint: 'Set the address of the tracker to one that begins with https://',
    })
  if (kind === 'github')
    return {
      address: { deviceEndpoint: `${origin}/login/device/code`, tokenEndpoint: `${origin}/login/oauth/access_token` },
      clientId,
      scope: GITHUB_SCOPE,
    }
  if (kind === 'azure-devops' && isHosted(url))
    return {
      address: { issuer: `https://login.microsoftonline.com/${encodeURIComponent(tenant ?? 'organizations')}/v2.0` },
      clientId,
      scope: AZURE_DEVOPS_SCOPE,
    }
  const { product } = getAdapter(kind)
  throw new StudioError('invalid', `${product} at ${hostname} has no sign-in that studio can use.`, {
    hint: 'Create a token there, and store it: studio init --with-token < token.txt',
  })
}
