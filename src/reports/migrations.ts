import type { Migration } from '../storage'

export interface ReportTables {
  designated_feature: DesignatedFeatureTable
}

/** The features that come first in reports. */
export interface DesignatedFeatureTable {
  /** From 1, without gaps. */
  place: number
  feature_id: number
}

export const reportsMigration: Migration = {
  name: '0003-reports',
  async up(db) {
    await db.schema
      .createTable('designated_feature')
      .addColumn('place', 'integer', (c) => c.primaryKey())
      .addColumn('feature_id', 'integer', (c) => c.notNull().unique())
      .execute()
  },
}
