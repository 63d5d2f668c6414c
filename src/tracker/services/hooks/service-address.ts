import { StudioError } from '../../../kernel'
import { isLoopbackHost } from '../../../kernel/loopback'

/** The address of a service as its trackers reach it, without what follows the path. Without encryption, everyone on the way could read the secret. */
export function parseServiceAddress(text: string): string {
  const url = new URL(text)
  if (url.protocol === 'https:' || isLoopbackHost(url.hostname))
    return `${url.origin}${url.pathname}`.replace(/\/$/, '')
  throw new StudioError('invalid', 'The address of the service must begin with https://', {
    hint: 'Put a proxy with a certificate in front of the service.',
    details: [{ path: 'url', message: 'must be an https address' }],
  })
}
