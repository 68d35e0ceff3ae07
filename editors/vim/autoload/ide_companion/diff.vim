vim9script
# The proposals that wait for a decision. proposal.vim has their buffers, view.vim their windows.

import autoload 'ide_companion/agents.vim'
import autoload 'ide_companion/comments.vim'
import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/draft.vim'
import autoload 'ide_companion/event.vim'
import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/reload.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/text.vim'
import autoload 'ide_companion/view.vim'

# Oldest first.
var proposals: list<dict<any>> = []
# Numbers proposals uniquely: the ids of the server start again with each server.
var serial = 0
var DecideAtServer: func(string, dict<any>, func(dict<any>))

# Sets the function that sends a decision: it gets the method, its parameters and a callback for the result.
export def OnDecision(Callback: func(string, dict<any>, func(dict<any>)))
  DecideAtServer = Callback
enddef

def Announce(name: string, proposal: dict<any>)
  event.Emit(name, {id: proposal.id, agent: proposal.agent, path: proposal.filePath})
enddef

# The proposal with a number that autocommands know; empty when it is gone.
export def BySerial(number: number): dict<any>
  return Find((proposal) => proposal.serial == number)
enddef

# The oldest that fits; empty when there is none.
# (`any`, because Vim does not know what a function of another script returns before it is loaded.)
export def Find(Fits: func(dict<any>): any): dict<any>
  for proposal in proposals
    if Fits(proposal)
      return proposal
    endif
  endfor
  return {}
enddef

# All of them, oldest first.
export def Waiting(): list<dict<any>>
  return copy(proposals)
enddef

# Closes a proposal and everything that was opened for it.
def CloseProposal(proposal: dict<any>)
  draft.Flush(proposal)
  filter(proposals, (_, other) => other isnot proposal)
  view.Close(proposal, () => {
    proposal_of.Delete(proposal)
  })
enddef

# Saves text in a listed buffer that no window shows and nothing deletes. Returns the number of the buffer.
def SaveEdits(proposal: dict<any>, content: string): number
  const buffer = text.NewBuffer('Your text', proposal.label, content)
  setbufvar(buffer, '&buflisted', true)
  return buffer
enddef

# Closes a proposal that is not accepted. What the user has typed is saved; `sentence` says why it closes.
def CloseAndSaveEdits(proposal: dict<any>, sentence: string)
  const content = proposal_of.TextOf(proposal)
  CloseProposal(proposal)
  if content !=# proposal.newContent
    say.Warn(printf('%s Your edits are saved in buffer %d.', sentence, SaveEdits(proposal, content)))
  else
    say.Info(sentence)
  endif
enddef

# `Follow` comes from reload.Prepare().
def OnAccepted(proposal: dict<any>, Follow: func(number): bool, size: number)
  CloseProposal(proposal)
  if Follow(size)
    say.Warn(':IdeCompanion merge   Accepted; your buffer has unsaved changes: ' .. proposal.label)
  else
    say.Info(printf('Accepted: %s.', proposal.label))
  endif
  Announce('DiffAccepted', proposal)
enddef

def OnRejected(proposal: dict<any>)
  CloseAndSaveEdits(proposal, printf('Rejected: %s.', proposal.label))
  Announce('DiffRejected', proposal)
enddef

# The decision does not count. An accepted proposal stays open.
def OnRefused(proposal: dict<any>, kind: string, reason: string)
  if kind == 'diffRejected'
    CloseAndSaveEdits(proposal, reason) # it was decided elsewhere, and its window is closed
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

# Sends the user's decision: `kind` is diffAccepted or diffRejected. `with_comments`: its agent is to hear the user's
# comments.
export def Decide(proposal: dict<any>, kind: string, with_comments = false)
  if proposal.deciding || !IsWaiting(proposal)
    return
  endif
  if proposal.orphan && kind == 'diffAccepted'
    say.Warn('No agent waits for this any more: the companion that asked has ended.')
    return
  elseif proposal.orphan
    CloseAndSaveEdits(proposal, 'The companion that asked has ended.')
    return
  endif
  proposal.deciding = true
  var params = {id: proposal.id}
  const Follow: func(number): bool = reload.Prepare(proposal)
  if kind == 'diffAccepted'
    params.content = proposal_of.TextOf(proposal)
    extend(params, proposal.ownVersion ? {ownVersion: true} : {})
    proposal_of.MarkWritten(proposal)
  endif
  extend(params, with_comments ? {comments: comments.List(proposal)} : {})
  draft.Flush(proposal) # what its agent takes no edits of can be recovered after a rejection
  DecideAtServer(kind, params, (result) => {
    proposal.deciding = false
    if !IsWaiting(proposal)
      return # its agent was quicker
    elseif !result.taken
      OnRefused(proposal, kind, get(result, 'reason', 'The decision does not count.'))
    elseif kind == 'diffAccepted'
      OnAccepted(proposal, Follow, strlen(params.content))
    else
      OnRejected(proposal)
    endif
  })
enddef

# `:w` in its tab accepts it. `:wa` and plugins that save files decide nothing.
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
  const agent: dict<any> = agents.Displayed(params.agent)
  if index(config.Options().diff.in_browser, get(agent, 'name', '')) >= 0
    throw printf('proposals of %s open in the browser, by your option', agent.displayName)
  endif
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
  comments.Watch(proposal)
  try
    quiet.WhenCalm(() => {
      # Meanwhile it may be gone, or the user may have gone there.
      if IsWaiting(proposal) && empty(proposal.view)
        view.Open(proposal)
      endif
    })
  catch
    CloseProposal(proposal) # it is shown elsewhere
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
  CloseProposal(proposal)
  Announce('DiffClosed', proposal)
  return {content: content}
enddef

# `companion/readDiff`
export def Read(params: dict<any>): any
  return {content: proposal_of.TextOf(Expect(params.id))}
enddef

# The server has ended, so no agent waits any more. Proposals that the user has edited stay open. Returns the agent
# whose proposal was open.
export def Orphan(): string
  const first = Find((proposal) => !proposal.orphan)
  for proposal in copy(proposals)
    proposal.deciding = false # the answer will not come
    if proposal_of.IsEdited(proposal)
      proposal.orphan = true
      view.Refresh(proposal)
    else
      CloseProposal(proposal)
    endif
  endfor
  return get(first, 'agent', '')
enddef

# Sends typed text that has not been sent.
def FlushAll()
  for proposal in proposals
    draft.Flush(proposal)
  endfor
enddef

augroup ide_companion_diff_leave
  autocmd!
  autocmd VimLeavePre * FlushAll()
augroup END

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
