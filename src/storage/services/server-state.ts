/** What `studio doctor` and the metrics say about a database server. */
export interface ServerState {
  /** As the server writes it: `15.18` */
  version: string
  /** The connections of this process. */
  pool: { open: number; idle: number; waiting: number; max: number }
  /** The connections of all programs. */
  connections: { used: number; max: number }
  /** The servers that copy it; null if the role may not see them. */
  standbys: Standby[] | null
  /** What the server keeps for copies that are not connected. */
  idleSlots: { name: string; bytes: number }[]
  /** Whether the role may see the transactions of others. */
  seesAllTransactions: boolean
  /** Whether it follows another server, so that nothing can be written. */
  isStandby: boolean
  /** Whether transactions cannot write unless they ask for it (`default_transaction_read_only`). */
  isReadOnly: boolean
  /** Whether the server has names of synchronous standbys, for which it waits unless `confirmation` is `local` or `off`. */
  hasSynchronousStandbys: boolean
  /** When a change counts as confirmed: `synchronous_commit`, and where this session has it from (`pg_settings.source`). */
  confirmation: { level: string; source: string }
  /** Whether the address lists several servers, any of which may become the primary. */
  isCluster: boolean
  /** The transaction that has been open for the longest time; null if there is none, or if the role may not see it. */
  oldestTransaction: { pid: number; program: string; database: string; seconds: number } | null
  /** The names of all complete indexes. */
  indexes: readonly string[]
  /** The servers of `STUDIO_DB_READ`. */
  replicas: ReplicaState[]
}

export interface Standby {
  /** Its `application_name`, with its address if several have the same. */
  name: string
  isSynchronous: boolean
  /** How much of the log of changes it has not applied. */
  lagBytes: number
  /** How long it took to apply the last changes; 0 if there were none lately. */
  lagSeconds: number
}

export interface ReplicaState {
  /** Host and port. */
  name: string
  /** `behind`: reads run on the primary meanwhile. `no replica`: it accepts writes. `other database`: it copies another one. */
  state: 'ready' | 'behind' | 'no replica' | 'other database' | 'unavailable'
  /** Why it is unavailable. */
  cause: Error | null
}
