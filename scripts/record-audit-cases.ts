// Records the audit events of a real server for the requests of test/audit:
//
//     npm run record:audit-cases -- --policy FILE
//         writes the policy; start the server with --audit-policy-file FILE and --audit-log-path LOG
//     npm run record:audit-cases -- --kubeconfig FILE --log LOG
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { auditPolicy } from '../test/audit/audit-cases.ts'
import { runAudited } from '../test/audit/audit-run.ts'
import { runningTarget } from '../test/conformance/target.ts'

const { values } = parseArgs({
  options: {
    policy: { type: 'string' },
    kubeconfig: { type: 'string', default: '' },
    log: { type: 'string', default: '' },
  },
})

if (values.policy !== undefined) {
  writeFileSync(values.policy, JSON.stringify(auditPolicy))
} else {
  await using target = await runningTarget(values.kubeconfig, undefined)
  const cases = await runAudited(target, {
    run: Math.floor(Date.now() / 1000).toString(36),
    lines: async () => readFileSync(values.log, 'utf8').split('\n').filter(Boolean),
  })
  const path = new URL('../test/audit/recorded.jsonl', import.meta.url)
  writeFileSync(path, cases.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
}
