import { loadSettings } from '../../src/config'
import { StudioError } from '../../src/kernel'
import type { Preparation } from './command-parts'

/** Refuses an image that could not be shown or scanned, before a link is created for it. */
export const prepareGateLink: Preparation = async (input, { format, out }, { invocation: { terminal, flags } }) => {
  const file = typeof out === 'string' ? out : null
  const image = format ?? (flags.json ? undefined : /\.(svg|png)$/i.exec(file ?? '')?.[1]?.toLowerCase())
  if (image !== 'svg' && image !== 'png') return { input }
  if (image === 'png' && (file === null || file === '-'))
    throw new StudioError('invalid', '--format png needs a file.', { hint: 'Add --out gate.png.' })
  if (loadSettings({ env: terminal.env, cwd: terminal.cwd }).serve.publicUrl === null)
    throw new StudioError('invalid', 'A QR code needs the address at which phones reach the service.', {
      hint: 'Set it: studio config set serve.publicUrl https://studio.example.com',
    })
  return { input }
}
