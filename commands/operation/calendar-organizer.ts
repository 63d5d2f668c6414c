import { loadSettings } from '../../src/config'
import { parseMailbox } from '../../src/kernel/text/mailbox'
import type { Preparation } from './command-parts'

/** Reads the sender of mails for a calendar, so that its events have the organizer of the invitations that are sent by mail. */
export const prepareAppointmentList: Preparation = async (input, { format }, { invocation: { terminal } }) => {
  if (format !== 'ics') return { input }
  const { from } = loadSettings({ env: terminal.env, cwd: terminal.cwd }).mail
  const organizer = from === null ? null : parseMailbox(from)!.address
  return { input, options: { columns: null, organizer } }
}
