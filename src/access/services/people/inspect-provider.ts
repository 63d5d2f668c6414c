import { asStudioError } from '../../../kernel'
import { type Finding, ok, warning } from '../../../storage'
import { openIdentityProvider, type ProviderSettings } from './identity-provider'

/** Whether the provider with which people sign in describes itself as the settings say. */
export async function inspectProvider(settings: ProviderSettings): Promise<Finding> {
  try {
    await openIdentityProvider(settings).begin()
    return ok('access', `People can sign in with ${settings.issuer}.`)
  } catch (error) {
    const { message } = asStudioError(error)
    return warning(
      'access',
      `${message} No one can sign in to the console with ${settings.issuer}.`,
      'Check auth.oidc.issuer, and that this machine reaches <issuer>/.well-known/openid-configuration.',
    )
  }
}
