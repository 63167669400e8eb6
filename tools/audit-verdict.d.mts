/** What `npm audit --json` has found, by what it printed. */
export declare const auditVerdict: (output: string) => 'clean' | 'weak' | 'not-offered' | 'failed'
