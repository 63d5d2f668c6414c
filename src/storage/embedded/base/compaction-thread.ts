import { workerData } from 'node:worker_threads'
import { realDisk } from '../disk'
import { type CompactionData, compactFiles } from './compact-files'

/** This file is what the thread runs. */
const { compactDatabaseAt, before } = workerData as CompactionData
void compactFiles(compactDatabaseAt, realDisk, before)
