vim9script
# Sends what the user types in a proposal to the companion, which stores it on disk and says where it differs from the
# file.

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/view.vim'

# A large text is sent less often, because building it blocks Vim for a moment.
const wait_ms = 50
const bytes_per_ms = 2048

# Timers of text that has not been sent, by the serial number of its proposal.
var timers: dict<number> = {}

# Sends text that has not been sent.
export def Flush(proposal: dict<any>)
  const key = string(proposal.serial)
  if bufloaded(proposal.proposed)
    listener_flush(proposal.proposed)
  endif
  if has_key(timers, key)
    timer_stop(remove(timers, key))
    if proposal.ended == '' && bufloaded(proposal.proposed)
      proposal.unanswered += 1
      server.Request('companion/draft', {id: proposal.id, content: proposal_of.TextOf(proposal)}, (result, _) => {
        proposal.unanswered -= 1
        OnAnswer(proposal, result)
      })
    endif
  endif
enddef

# Drawn hunks stay until the answer about the last key.
def OnAnswer(proposal: dict<any>, result: any)
  listener_flush(proposal.proposed)
  if proposal.unanswered > 0 || has_key(timers, string(proposal.serial)) || !bufloaded(proposal.proposed)
    return
  endif
  if type(result) == v:t_dict
    proposal.hunks = result.hunks
    proposal.facts = result.facts
    view.OnCompared(proposal)
  endif
  const due: list<func()> = proposal.due
  proposal.due = []
  for Act in due
    Act()
  endfor
enddef

# Runs Act when the hunks are those of the text as it stands.
export def WhenCompared(proposal: dict<any>, Act: func())
  Flush(proposal)
  if proposal.unanswered > 0
    add(proposal.due, Act)
  else
    Act()
  endif
enddef

def Soon(serial: number, delay: number)
  const key = string(serial)
  if !has_key(timers, key)
    timers[key] = timer_start(delay, (_) => {
      const proposal = diff.BySerial(serial)
      if !empty(proposal)
        Flush(proposal)
      endif
    })
  endif
enddef

# Sends the text of a proposal from now on, shortly after each change.
export def Watch(proposal: dict<any>)
  const serial: number = proposal.serial
  const delay = wait_ms + len(proposal.newContent) / bytes_per_ms
  listener_add((_, _, _, _, _) => Soon(serial, delay), proposal.proposed)
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
