vim9script
# The proposals that wait for a decision: what each of them is stands in proposal.vim, where it is seen in view.vim.

import autoload 'ide_companion/draft.vim'
import autoload 'ide_companion/event.vim'
import autoload 'ide_companion/kept.vim'
import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/reload.vim'
import autoload 'ide_companion/review.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/view.vim'

# Oldest first.
var proposals: list<dict<any>> = []
# Names buffers for good: the server's numbers begin anew with each server.
var serial = 0
var DecideAtServer: func(string, dict<any>, func(dict<any>))

# How a decision reaches the server: with the method, its parameters, and what takes the result.
export def OnDecision(Callback: func(string, dict<any>, func(dict<any>)))
  DecideAtServer = Callback
enddef

def Announce(name: string, proposal: dict<any>)
  event.Tell(name, {id: proposal.id, agent: proposal.agent, path: proposal.filePath})
enddef

# A number for a proposal of this Vim: autocommands find it by that. Empty when it is gone.
export def BySerial(number: number): dict<any>
  return Find((proposal) => proposal.serial == number)
enddef

# (`any`, because Vim does not know what a function of another script returns before it is loaded.)
def Find(Fits: func(dict<any>): any): dict<any>
  for proposal in proposals
    if Fits(proposal)
      return proposal
    endif
  endfor
  return {}
enddef

# Takes it away, with everything that was opened for it and nothing else.
def TakeAway(proposal: dict<any>)
  draft.Flush(proposal)
  filter(proposals, (_, other) => other isnot proposal)
  view.Close(proposal, () => {
    proposal_of.Delete(proposal)
  })
enddef

# What the user has typed outlives a rejection, however it came about; `sentence` tells what has happened.
def TakeAwayButEdits(proposal: dict<any>, sentence: string)
  const content = proposal_of.TextOf(proposal)
  TakeAway(proposal)
  if content !=# proposal.newContent
    kept.Keep(proposal.label, content, sentence .. ' Your edits are kept.')
  else
    say.Info(sentence)
  endif
enddef

# `Follow` is as reload.Prepare() gives it.
def OnAccepted(proposal: dict<any>, Follow: func(): bool)
  TakeAway(proposal)
  if Follow()
    say.Warn(':IdeCompanion merge   Accepted; your buffer has unsaved changes: ' .. proposal.label)
  else
    say.Info(printf('Accepted: %s.', proposal.label))
  endif
  Announce('DiffAccepted', proposal)
enddef

def OnRejected(proposal: dict<any>)
  TakeAwayButEdits(proposal, printf('Rejected: %s.', proposal.label))
  Announce('DiffRejected', proposal)
enddef

# The decision does not count; what it was about stays within reach.
def OnRefused(proposal: dict<any>, kind: string, reason: string)
  if kind == 'diffRejected'
    TakeAwayButEdits(proposal, reason) # it was decided elsewhere, and its window is gone
    return
  endif
  say.Warn(reason)
  setbufvar(proposal.proposed, '&modified', true)
  quiet.WhenCalm(() => {
    if IsWaiting(proposal)
      view.Open(proposal) # `:wq` has closed it
    endif
  })
enddef

def IsWaiting(proposal: dict<any>): bool
  return !empty(BySerial(proposal.serial))
enddef

# `kind` is diffAccepted or diffRejected.
def Decide(proposal: dict<any>, kind: string)
  if proposal.deciding || !IsWaiting(proposal)
    return
  endif
  if proposal.orphan && kind == 'diffAccepted'
    say.Warn('Nobody waits for this any more: the companion that asked has ended.')
    return
  elseif proposal.orphan
    TakeAwayButEdits(proposal, 'The companion that asked has ended.')
    return
  endif
  proposal.deciding = true
  var params = {id: proposal.id}
  const Follow: func(): bool = reload.Prepare(proposal)
  if kind == 'diffAccepted'
    params.content = proposal_of.TextOf(proposal)
    proposal_of.MarkWritten(proposal)
  endif
  DecideAtServer(kind, params, (result) => {
    proposal.deciding = false
    if !IsWaiting(proposal)
      return # its agent was quicker
    elseif !result.taken
      OnRefused(proposal, kind, get(result, 'reason', 'The decision does not count.'))
    elseif kind == 'diffAccepted'
      OnAccepted(proposal, Follow)
    else
      OnRejected(proposal)
    endif
  })
enddef

# `:w` in its tab. What writes all files, or saves by itself, must not decide behind the user's back.
export def OnWritten(proposal: dict<any>)
  if view.IsCurrent(proposal)
    Decide(proposal, 'diffAccepted')
  else
    say.Warn(printf('The proposal for %s is accepted by :w in its own tab only.', proposal.label))
  endif
enddef

# The user has closed it.
export def OnClosed(proposal: dict<any>)
  Decide(proposal, 'diffRejected')
enddef

def Refuse(params: dict<any>)
  if get(params, 'inexact', false)
    throw 'Vim cannot hold a character of ' .. params.label
  elseif &encoding != 'utf-8' && params.newContent =~ '[^\x00-\x7F]'
    throw printf("%s needs 'encoding' to be utf-8, and it is %s", params.label, &encoding)
  endif
enddef

# `companion/openDiff`
export def Open(params: dict<any>): any
  Refuse(params)
  serial += 1
  var proposal = proposal_of.Create(params, serial)
  add(proposals, proposal)
  draft.Watch(proposal)
  try
    quiet.WhenCalm(() => {
      # Meanwhile it may be gone, or the user may have gone there.
      if IsWaiting(proposal) && empty(proposal.view)
        view.Open(proposal)
      endif
    })
  catch
    TakeAway(proposal) # it is shown elsewhere
    throw v:exception
  endtry
  say.InfoWhile(printf(':IdeCompanion diff   %s proposes %s', proposal.agent, proposal.label), () => IsWaiting(proposal))
  Announce('DiffOpened', proposal)
  return null
enddef

def Expect(id: string): dict<any>
  const proposal = Find((candidate) => !candidate.orphan && candidate.id ==# id)
  if empty(proposal)
    throw printf('no diff %s is open', id)
  endif
  return proposal
enddef

# `companion/closeDiff`
export def Close(params: dict<any>): any
  const proposal = Expect(params.id)
  const content = proposal_of.TextOf(proposal)
  TakeAway(proposal)
  Announce('DiffClosed', proposal)
  return {content: content}
enddef

# `companion/readDiff`
export def Read(params: dict<any>): any
  return {content: proposal_of.TextOf(Expect(params.id))}
enddef

# The server is gone: nobody waits any more. What the user has edited stays to be looked at. Returns the agent whose
# proposal was open.
export def Orphan(): string
  const first = Find((proposal) => !proposal.orphan)
  for proposal in copy(proposals)
    proposal.deciding = false # the answer will not come
    if proposal_of.IsEdited(proposal)
      proposal.orphan = true
      view.Refresh(proposal)
    else
      TakeAway(proposal)
    endif
  endfor
  return get(first, 'agent', '')
enddef

# Sends what was typed last.
def FlushAll()
  for proposal in proposals
    draft.Flush(proposal)
  endfor
enddef

# Those that are to be seen in the browser only.
def InBrowser(): list<dict<any>>
  return review.Waiting((id) => !empty(Find((proposal) => !proposal.orphan && proposal.id ==# id)))
enddef

# The proposal in the current tab; empty when there is none.
def Current(): dict<any>
  return Find((proposal) => view.IsCurrent(proposal))
enddef

# Does something with the proposal that is meant: the one in the current tab, else the oldest.
def WithCurrent(Action: func(dict<any>))
  const here = Current()
  const proposal = empty(here) ? get(proposals, 0, {}) : here
  if empty(proposal)
    say.Info(empty(InBrowser()) ? 'No proposal waits for you.' : ':IdeCompanion diff   The proposal waits in the browser')
  else
    Action(proposal)
  endif
enddef

export def Accept()
  WithCurrent((proposal) => {
    Decide(proposal, 'diffAccepted')
  })
enddef

export def Reject()
  WithCurrent((proposal) => {
    Decide(proposal, 'diffRejected')
  })
enddef

# Goes to the oldest; from one that is looked at to the next.
export def Show()
  const here = Current()
  if empty(proposals) && !empty(InBrowser())
    review.Show(InBrowser())
  elseif empty(here)
    WithCurrent((proposal) => {
      view.Enter(proposal)
    })
  else
    const place = proposals->mapnew((_, proposal) => proposal.serial)->index(here.serial)
    view.Enter(proposals[(place + 1) % len(proposals)])
  endif
enddef

augroup ide_companion_diff_leave
  autocmd!
  autocmd VimLeavePre * FlushAll()
augroup END

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
