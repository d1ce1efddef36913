/**
 * deploy/: `setpoint install`, `uninstall`, `deploy` and `undeploy`.
 *
 * `install` and `deploy` apply the objects that `generate/` computes from the loaded operators
 * (not from files, which may be outdated) under the field manager `setpoint`; `uninstall` and
 * `undeploy` delete them. All of them print a plan first.
 *
 * It promises to find refusals, conflicts and missing permissions before the first write, to delete
 * no object of a user without `--delete-objects`, and to delete only objects that it created.
 */
export { runDeploy } from './run-deploy.ts'
export { runInstall } from './run-install.ts'
export { runUndeploy } from './run-undeploy.ts'
export { runUninstall } from './run-uninstall.ts'
