vim9script
# The end of a process, which Vim may report before the last lines of its output.

# How long the output of an ended process is read: another one may hold its pipes open.
const drain_ms = 1000

# The callbacks of a job, for job_start(), that call OnExit once: with its exit code, after its last output.
export def AtEnd(OnExit: func(number)): dict<any>
  var end = {exited: false, closed: false, code: 0, timer: 0}
  const Finish = () => {
    if end.exited && end.closed
      timer_stop(end.timer)
      OnExit(end.code)
    endif
  }
  const Close = (_) => {
    if !end.closed
      end.closed = true
      Finish()
    endif
  }
  const Exit = (_, code) => {
    extend(end, {exited: true, code: code, timer: timer_start(drain_ms, Close)})
    Finish()
  }
  return {close_cb: Close, exit_cb: Exit}
enddef

defcompile
