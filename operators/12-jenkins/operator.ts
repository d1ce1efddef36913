import { operator, problem, rolloutOn } from 'setpoint'
import {
  ConfigMap,
  Job,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from 'setpoint/kinds'
import { adminSecret, adminSecretName, files, urlOf } from './configuration.ts'
import { Jenkins } from './jenkins.ts'
import { jenkinsLabel, namesOf } from './names.ts'
import { removeJenkins } from './removal.ts'
import { backupClaim, homeClaim, podService, server, service } from './workload.ts'

/** The key of the Jenkins of an object with our label. */
const jenkinsOf = (object: {
  readonly metadata: {
    readonly namespace: string
    readonly labels?: Readonly<Record<string, string>>
  }
}): string[] => [`${object.metadata.namespace}/${object.metadata.labels?.[jenkinsLabel]}`]

const dayMs = 24 * 3_600_000

/** Runs a Jenkins for each project, and removes it with a backup when the project is over. */
export default operator(Jenkins)
  .validate(({ spec }, { old, now }) =>
    spec.until === undefined || spec.until === old?.spec.until || Date.parse(spec.until) > now()
      ? []
      : [problem('spec.until', 'it is in the past; to remove the Jenkins now, delete it')],
  )
  .writes(Jenkins)
  .writes(Job)
  .watch(Job, jenkinsOf, { labelSelector: jenkinsLabel })
  .watch(Pod, jenkinsOf, { labelSelector: jenkinsLabel })
  .child('admin', Secret, { createOnly: true }, adminSecret)
  .child('files', ConfigMap, files)
  .child('service', Service, service)
  .child('pods', Service, podService)
  // Without owner references: the backup needs the home directory, and is kept.
  .child('home', PersistentVolumeClaim, { deletion: 'retain' }, homeClaim)
  .child('backups', PersistentVolumeClaim, { deletion: 'retain' }, backupClaim)
  .child('server', StatefulSet, { after: ['files', 'home', 'pods'] }, (jenkins, { children }) =>
    server(jenkins, rolloutOn(children.files, children.admin)),
  )
  .reconcile(async (jenkins, ctx) => {
    const { until } = jenkins.spec
    if (until === undefined) return undefined
    const leftMs = Date.parse(until) - ctx.now()
    if (leftMs > 0) return { recheckAfter: Math.min(leftMs, dayMs) }
    // First: a process that is killed after each of its writes must get further each time.
    await ctx.delete(Jenkins, jenkins)
    await ctx.recordEvent({
      type: 'Normal',
      reason: 'ProjectOver',
      message: `the project was over at ${until}: the Jenkins is removed`,
    })
    return undefined
  })
  .status((jenkins) => {
    const { name, namespace } = jenkins.metadata
    return {
      url: urlOf(name, namespace),
      adminSecret: adminSecretName(jenkins),
      jobs: jenkins.spec.jobs.map((job) => job.name),
      backups: namesOf(name).backups,
    }
  })
  .onDelete(removeJenkins)
