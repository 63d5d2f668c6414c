/** The ids of all operations. The compiler compares them with the catalog. */
export type OperationId =
  | `system.${'health' | 'ready' | 'doctor'}`
  | `features.${'import' | 'import-many' | 'list'}`
  | `items.${'import-single' | 'import-file' | 'batch-update' | 'get' | 'resolve' | 'freshness' | 'history' | 'search' | 'metadata' | 'sync' | 'sync-status' | 'list' | 'create' | 'publish-draft' | 'publish-tree' | 'comments' | 'comment' | 'attachments' | 'attachment' | 'download-attachments' | 'attach' | 'attach-files' | 'link' | 'unlink' | 'select'}`
  | `items.${'transitions' | 'move' | 'assign' | 'delete' | 'restore' | 'edit-comment' | 'delete-comment' | 'web-links' | 'add-web-link' | 'remove-web-link' | 'worklogs' | 'log-work'}`
  | `queries.${'list' | 'run' | 'import'}`
  | 'tracker.hooks'
  | `drafts.${'copy-sanitize' | 'list' | 'get' | 'save' | 'move' | 'delete' | 'history' | 'undo' | 'refine'}`
  | `search.${'fast' | 'stats' | 'reindex'}`
  | `reports.${'briefing' | 'forecast' | 'hierarchy' | 'summary'}`
  | `appointments.${'book' | 'events' | 'find' | 'reschedule' | 'update' | 'swap' | 'pin' | 'unpin' | 'list' | 'get' | 'cancel' | 'complete' | 'reopen' | 'import' | 'clear' | 'archive' | 'unarchive' | 'partition' | 'history' | 'check-in' | 'step' | 'undo-step' | 'remind'}`
  | `attachments.${'add' | 'list' | 'get' | 'remove'}`
  | `holds.${'create' | 'list' | 'confirm' | 'release'}`
  | `waitlist.${'add' | 'list' | 'accept' | 'decline' | 'remove' | 'offer'}`
  | `series.${'create' | 'list' | 'get' | 'update' | 'end' | 'skip' | 'move' | 'materialize'}`
  | `facilities.${'set-check' | 'get-check' | 'remove-check' | 'test-check'}`
  | `facilities.${'create-gate-link' | 'list-gate-links' | 'revoke-gate-link'}`
  | `yard.${'board' | 'list' | 'get' | 'arrive' | 'move' | 'update' | 'leave' | 'undo' | 'import' | 'add-spots' | 'remove-spot'}`
  | `webhooks.${'add' | 'list' | 'update' | 'rotate-secret' | 'remove' | 'test' | 'dead-letters' | 'replay' | 'resume' | 'deliver'}`
  | `mail-templates.${'list' | 'get' | 'set' | 'reset' | 'preview' | 'test'}`
  | `folders.${'list' | 'create' | 'update' | 'delete'}`
  | `filters.${'list' | 'save' | 'delete' | 'working' | 'set-working' | 'clear-working'}`
  | `views.${'list' | 'get' | 'save' | 'delete'}`
  | `priorities.${'get' | 'set'}`
  | `llm.${'models' | 'chat' | 'load'}`
  | 'chat.stream'
  | `prompts.${'list' | 'get' | 'fill'}`
  | `facilities.${'list' | 'get' | 'create' | 'update' | 'delete' | 'restore' | 'close' | 'reopen' | 'block' | 'unblock' | 'conflicts' | 'availability' | 'board' | 'plan' | 'accept-plan' | 'report'}`
  | `carriers.${'admit' | 'exclude' | 'invite' | 'list-invitations' | 'revoke-invitation'}`
  | `doors.${'list' | 'add' | 'update' | 'remove'}`
  | `tenants.${'list' | 'create' | 'create-key' | 'list-keys' | 'revoke-key'}`
  | `tokens.${'create' | 'list' | 'revoke'}`
  | `people.${'add' | 'list' | 'update' | 'remove'}`
  | `staff.${'add' | 'list' | 'update' | 'remove'}`
  | `sessions.${'create-link' | 'create-screen' | 'list' | 'revoke'}`
  | `audit.${'list' | 'export'}`
  | `storage.${'backup' | 'restore' | 'migrate'}`
