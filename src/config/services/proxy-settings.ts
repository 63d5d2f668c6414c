import type { ProxySettings } from '../../credentials'
import { StudioError } from '../../kernel'

/** Reads the standard proxy variables, the lower-case ones first. Null if none is set. */
export function readProxySettings(env: NodeJS.ProcessEnv): ProxySettings | null {
  const [http, https] = [readProxy(env, 'HTTP_PROXY'), readProxy(env, 'HTTPS_PROXY')]
  return http === null && https === null ? null : { http, https, except: readVariable(env, 'NO_PROXY') }
}

/** The error never includes the value, which may contain a password. */
function readProxy(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = readVariable(env, name)
  if (text === '') return null
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address
  throw new StudioError('invalid', `${name} is not the address of an http or https proxy.`, {
    hint: `For example: export ${name}=http://proxy.example.com:3128`,
  })
}

function readVariable(env: NodeJS.ProcessEnv, name: string): string {
  return (env[name.toLowerCase()] || env[name] || '').trim()
}
