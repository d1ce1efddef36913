/**
 * deploy/: operators into a cluster, and out of it.
 *
 * `setpoint install` and `deploy` apply what `manifests/` makes of the loaded operators (not of files, which may be
 * old), under the field manager `setpoint`; `uninstall` and `undeploy` take it back. The first thing they do is to
 * tell what they are going to do.
 *
 * It promises that refusals, conflicts and missing rights are known before the first write, that no object of a user
 * is lost without `--delete-objects`, and that nothing is deleted that was not made by it.
 */
export { runDeploy } from './run-deploy.ts'
export { runInstall } from './run-install.ts'
export { runUndeploy } from './run-undeploy.ts'
export { runUninstall } from './run-uninstall.ts'
