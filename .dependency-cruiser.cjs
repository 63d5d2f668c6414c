/** The import rules of docs/architecture.md, checked. */
const modules = [
  'items',
  'drafts',
  'sanitize',
  'rich-text',
  'sandbox',
  'search',
  'reports',
  'assistant',
  'docks',
  'access',
  'credentials',
  'audit',
  'tracker',
  'storage',
  'config',
]

/** What a module offers besides its index, to a start that loads neither schemas nor engines. */
const lightFaces = [
  '^src/tracker/sample-site\\.ts$',
  '^src/tracker/(adapters|services/capabilities)\\.ts$',
  '^src/rich-text/(atlassian-texts|rules/tasks|edit/edit-text)\\.ts$',
  '^src/tracker/items-file\\.ts$',
  '^src/storage/embedded/(log/detect-changes|engine/(read-with-raw-sql|read-tables|table-reader))\\.ts$',
  '^src/(access|drafts|items|docks/facilities)/queries/(?:completion-names|field-completion)\\.ts$',
  '^src/items/queries/searchable-tables\\.ts$',
  '^src/items/services/import/background-sync\\.ts$',
  '^src/items/services/hooks/(receive-event|read-reported-items)\\.ts$',
  '^src/tracker/(hook-formats|hooks-path|unknown-tracker)\\.ts$',
  '^src/config/services/logins\\.ts$',
]

const packageOnlyIn = (name, packages, folders) => ({
  name: `${name}-only-there`,
  severity: 'error',
  comment: `${packages} belongs to ${folders}`,
  from: { path: '^(src|commands)/', pathNot: folders },
  to: { path: `node_modules/(${packages})(/|$)` },
})

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-type-cycles',
      severity: 'error',
      comment: 'a type that two files need belongs below both',
      from: { path: '^(src|commands)/' },
      to: { circular: true },
    },
    {
      name: 'no-vague-names',
      severity: 'error',
      comment: 'a name says what is inside',
      from: { path: '/(utils?|helpers?|common|shared|misc|manager)(/|[.]ts)', pathNot: 'node_modules' },
      to: {},
    },
    {
      name: 'kernel-imports-zod-alone',
      severity: 'error',
      from: { path: '^src/kernel/' },
      // A hash is a value of its input, too, and the number of listeners of a signal is limited only by `events`.
      to: { pathNot: ['^src/kernel/', 'node_modules/zod/', '^(crypto|events)$'] },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      comment:
        'values in, values out: rules import rules and nouns of their own slice and the kernel; of others, types, texts and the list of trackers',
      from: { path: '^src/([^/]+)/.*rules/' },
      to: {
        path: '^(src|commands)/',
        pathNot: [
          '^src/$1/.*rules/',
          '^src/$1/schemas\\.ts$',
          '^src/kernel/',
          '^src/(sanitize|rich-text)/index\\.ts$',
          '^src/tracker/adapters\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'rules-touch-no-process',
      severity: 'error',
      from: { path: '^src/([^/]+)/.*rules/' },
      to: { dependencyTypes: ['core'] },
    },
    ...modules.map((module) => ({
      name: `${module}-by-its-index`,
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [`^src/${module}/`, '^src/catalog\\.ts$', '^src/background/tasks\\.ts$', '^src/system/'],
      },
      to: { path: `^src/${module}/`, pathNot: [`^src/${module}/index\\.ts$`, ...lightFaces] },
    })),
    {
      name: 'stories-know-no-docks',
      severity: 'error',
      from: { path: '^src/(items|drafts|sanitize)/' },
      to: { path: '^src/docks/' },
    },
    {
      name: 'docks-know-no-stories',
      severity: 'error',
      from: { path: '^src/docks/' },
      to: { path: '^src/(items|drafts|sanitize)/' },
    },
    {
      name: 'surfaces-know-no-sql',
      severity: 'error',
      from: { path: '^(commands|src/http|src/mcp|src/console)/' },
      to: { path: ['/queries', 'node_modules/kysely/', '^src/storage/(embedded|postgres)/'] },
    },
    {
      name: 'the-core-knows-no-surface',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(http|mcp|console)/' },
      to: { path: '^(commands|src/http|src/mcp|src/console)/' },
    },
    {
      name: 'the-console-calls-operations',
      severity: 'error',
      comment: 'a page has no rules of its own: it runs operations of the catalog and writes HTML',
      from: { path: '^src/console/' },
      to: {
        path: '^(src|commands)/',
        pathNot: [
          '^src/(console|kernel)/',
          '^src/(catalog|rich-text/rules/tasks|(docks|drafts)/index)\\.ts$',
          '^src/http/(app-env|app-options|callers/caller|operation-call|answers/(answer-turns|file-response|shared-body|stream-body))\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sandbox-is-a-program-of-its-own',
      severity: 'error',
      comment: 'the sandbox replaces a real tracker, so nothing but what starts it may know it',
      from: {
        path: '^(src|commands)/',
        pathNot: ['^src/sandbox/', '^src/open-trackers\\.ts$', '^commands/(sandbox|demo)\\.ts$'],
      },
      to: { path: '^src/sandbox/' },
    },
    packageOnlyIn('hono', 'hono|@hono/node-server', '^src/(http|console)/'),
    packageOnlyIn('terminal', 'commander|inquirer|ora|chalk|wrap-ansi', '^commands/'),
    packageOnlyIn('comparisons', 'diff', '^(commands|src/console|src/rich-text/edit)/'),
    packageOnlyIn('agent-protocol', '@modelcontextprotocol', '^src/mcp/'),
    packageOnlyIn('undici', 'undici', '^src/(tracker|assistant/adapters|credentials)/'),
    packageOnlyIn('sign-in', 'openid-client', '^src/(access|credentials)/'),
    packageOnlyIn('tokens', 'jose', '^src/access/'),
    packageOnlyIn('service', 'prom-client|rate-limiter-flexible', '^src/http/'),
    packageOnlyIn('engines', 'sql\\.js|pg', '^src/storage/'),
    packageOnlyIn('mail', 'nodemailer', '^src/mail/'),
    packageOnlyIn('qr-codes', 'uqr', '^(src/docks/gate/rules|commands/views)/'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
