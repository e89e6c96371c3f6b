/** What one check found. */
export interface Finding {
  /** `skip`: does not apply here (no zsh on this machine). */
  state: 'ok' | 'warn' | 'bad' | 'skip';
  /** One line: what is. */
  detail: string;
  /** The command (or the one step) that puts it right; '' when all is well. */
  cure: string;
  /** Further facts for `--json`. */
  facts?: Readonly<Record<string, string | number | boolean>>;
}

export interface Check {
  name: string;
  /** Never rejects for what it looks at: a failure is a finding. */
  run(): Promise<Finding>;
}

export function ok(detail: string, facts?: Finding['facts']): Finding {
  return { state: 'ok', detail, cure: '', ...(facts ? { facts } : {}) };
}

export function bad(detail: string, cure: string, facts?: Finding['facts']): Finding {
  return { state: 'bad', detail, cure, ...(facts ? { facts } : {}) };
}
