import { dirname, join } from 'node:path'
import { inputError } from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { Studio } from '../../studio'
import type { Fields } from '../forms/form'
import { nestFields } from '../forms/form-fields'
import { html } from '../html'
import { SECRET_USE, secret } from '../shown-secret'
import type { Actions } from './action'
import { mailBasis, memberBasis, personBasis, webhookBasis } from './bases'

/** What forms do with the service: credentials, people, webhooks, mails and the database. */
export const settingsActions: Actions = {
  'system.doctor': {
    done: 'The checks are done.',
    // Reading a large database would keep the service from answering others.
    toInput: () => ({ quick: true }),
    show: async (answer) => (await import('../pages/settings/system')).renderFindings(answer),
  },
  'storage.backup': {
    done: 'The database was backed up.',
    toInput: nameBackup,
    show: ({ file, bytes, sha256 }) =>
      html`<section class="notice" role="status"><p>${bytes} bytes in <code>${file}</code>, SHA-256 ${sha256}</p></section>`,
  },
  'search.reindex': { done: 'The search index was built again.' },
  'llm.load': { done: 'The model is loaded.' },
  'items.metadata': {
    done: 'The tracker answers.',
    show: async (answer) => (await import('../pages/settings/trackers')).renderConnection(answer),
  },
  'tracker.hooks': {
    done: 'This is what to enter in the tracker.',
    show: async (answer) => (await import('../pages/settings/trackers')).renderHook(answer),
  },
  'people.add': { done: 'The person was added.' },
  'people.update': { done: 'The person was changed.', basis: personBasis },
  'people.remove': { done: 'The person was removed.' },
  'tokens.create': {
    done: 'The token was created.',
    toInput: requireRole,
    show: ({ token }) => secret('token', token, 'Send it in the header Authorization: Bearer <token>.'),
  },
  'tokens.revoke': { done: 'The token was revoked.' },
  'tenants.create': { done: 'The tenant was created.' },
  'tenants.create-key': {
    done: 'The dock key was created.',
    show: ({ key }) => secret('dock key', key, 'Send it in the header X-API-Key.'),
  },
  'tenants.revoke-key': { done: 'The dock key was revoked.' },
  'carriers.invite': {
    done: 'The carrier was invited.',
    show: async (answer) => (await import('../pages/settings/invitations')).renderNewInvitation(answer),
  },
  'carriers.revoke-invitation': { done: 'The invitation was revoked.' },
  'staff.add': { done: 'The member was added.' },
  'staff.update': { done: 'The member was changed.', basis: memberBasis },
  'staff.remove': { done: 'The member was removed.' },
  'webhooks.add': {
    done: 'The webhook was added.',
    toInput: nestFields,
    show: ({ secret: text }) => text && secret('secret', text, SECRET_USE),
  },
  'webhooks.update': {
    done: 'The webhook was changed.',
    basis: webhookBasis,
    toInput: nestFields,
  },
  'webhooks.rotate-secret': {
    done: 'The webhook has a new secret.',
    show: ({ secret: text }) => secret('secret', text, SECRET_USE),
  },
  'webhooks.test': { done: 'The test was accepted.' },
  'webhooks.replay': { done: 'The events are sent again.' },
  'webhooks.resume': { done: 'The webhook gets events again.' },
  'webhooks.remove': { done: 'The webhook was removed.' },
  'mail-templates.set': { done: 'The mail was changed.', basis: mailBasis },
  'mail-templates.reset': { done: 'The default mail was restored.' },
  'mail-templates.preview': {
    done: 'This is the mail.',
    basis: mailBasis,
    show: ({ subject, text }) =>
      html`<section class="card wide"><h3>${subject}</h3><pre class="text">${text}</pre></section>`,
  },
  'mail-templates.test': { done: 'The mail server accepted the test mail.' },
  'sessions.create-link': {
    done: 'The link was created.',
    show: ({ path }) => secret('link', path, 'Open it on this service within ten minutes. It works once.'),
  },
  'sessions.create-screen': {
    done: 'The link was created.',
    show: async (answer, fields) => (await import('../board/screens-page')).renderNewScreen(answer, fields),
  },
  'sessions.revoke': { done: 'The browser was signed out.' },
}

/** Programs get a role by default; a person chooses one. */
function requireRole(fields: Fields): Fields {
  if (fields['role'] || fields['scopes']) return fields
  throw inputError([{ path: 'role', message: 'choose what the token may do' }])
}

/** In the folder of the database, so that no caller chooses where the service writes. */
function nameBackup(_: Fields, { settings, context }: Studio): Fields {
  const now = context({ actor: { kind: 'anonymous' } }).clock.now()
  const stamp = formatInstant(now).replace(/[-:.]/g, '')
  return { file: join(dirname(settings.db), `studio-backup-${stamp}.db`) }
}
