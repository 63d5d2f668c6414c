import { StudioError } from '../../../src/kernel'
import type { Preparation } from '../command-parts'

/** A file on standard output is for another program: a terminal would act on its bytes, and a result would be a part of it. */
export const refuseTerminalBytes: Preparation = async (input, _flags, { invocation: { flags, terminal } }) => {
  if (input['to'] !== '-') return { input }
  if (flags.json) throw new StudioError('invalid', '--to - does not go with --json.')
  if (terminal.outIsTty)
    throw new StudioError('invalid', 'A terminal cannot show the file.', { hint: 'Save it to a folder: --to <folder>' })
  return { input }
}
