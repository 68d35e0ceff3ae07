vim9script
# Sends what the user types in a proposal to the companion, which stores it on disk and says where it differs from the
# file.

import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/view.vim'

# A large text is sent less often, because building it blocks Vim for a moment.
const wait_ms = 50
const bytes_per_ms = 2048

# Sends text that has not been sent.
export def Flush(proposal: dict<any>)
  if bufloaded(proposal.proposed)
    listener_flush(proposal.proposed)
  endif
  if proposal.draft_timer > 0
    timer_stop(proposal.draft_timer)
    proposal.draft_timer = 0
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
  if !bufloaded(proposal.proposed)
    return # it is decided
  endif
  listener_flush(proposal.proposed)
  if proposal.unanswered > 0 || proposal.draft_timer > 0
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

def Soon(proposal: dict<any>, delay: number)
  if proposal.draft_timer == 0
    proposal.draft_timer = timer_start(delay, (_) => Flush(proposal))
  endif
enddef

# Sends the text of a proposal from now on, shortly after each change.
export def Watch(proposal: dict<any>)
  const delay = wait_ms + len(proposal.newContent) / bytes_per_ms
  listener_add((_, _, _, _, _) => Soon(proposal, delay), proposal.proposed)
enddef

defcompile
