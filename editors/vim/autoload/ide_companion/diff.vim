vim9script
# The proposals that wait for a decision: each is a pair of buffers, and a tab to see them in.
#
# A proposal is a dictionary with what `companion/openDiff` gave (id, agent, filePath, label, newContent, original,
# notes), and
#   proposed, base    numbers of its buffers
#   view              where it is to be seen; empty before it is opened
#   deciding          a decision is on its way
#   orphan            nobody waits for it any more
#   last_text         what it was when its buffer was unloaded, as by `:q!`

import autoload 'ide_companion/event.vim'
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/reload.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/text.vim'
import autoload 'ide_companion/view.vim'

# Oldest first.
var proposals: list<dict<any>> = []
# Names buffers for good: the server's numbers begin anew with each server.
var serial = 0
var DecideAtServer: func(string, dict<any>, func(dict<any>))

# How a decision reaches the server: with the method, its parameters, and what takes the verdict.
export def OnDecision(Callback: func(string, dict<any>, func(dict<any>)))
  DecideAtServer = Callback
enddef

def Announce(name: string, proposal: dict<any>)
  event.Tell(name, {id: proposal.id, agent: proposal.agent, path: proposal.filePath})
enddef

# A number for a proposal of this Vim: autocommands find it by that.
def BySerial(number: number): dict<any>
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

# The text as it stands; what was not touched comes back as it came.
def TextOf(proposal: dict<any>): string
  if !bufloaded(proposal.proposed)
    return proposal.last_text
  endif
  const changed = getbufinfo(proposal.proposed)[0].changed
  return changed ? text.Get(proposal.proposed) : proposal.newContent
enddef

# Takes it away, with everything that was opened for it and nothing else.
def TakeAway(proposal: dict<any>)
  filter(proposals, (_, other) => other isnot proposal)
  view.Close(proposal, () => {
    for buffer in [proposal.proposed, proposal.base]
      if bufexists(buffer)
        execute 'silent noautocmd bwipeout!' buffer
      endif
    endfor
  })
enddef

# What the user has typed outlives a rejection, however it came about; `sentence` tells what has happened.
def TakeAwayButEdits(proposal: dict<any>, is_rejected: bool, sentence: string)
  const content = TextOf(proposal)
  TakeAway(proposal)
  if is_rejected && content !=# proposal.newContent
    KeepText(proposal.label, content, sentence .. ' Your edits are kept.')
  endif
enddef

def OnVerdict(proposal: dict<any>, kind: string, verdict: dict<any>)
  proposal.deciding = false
  if empty(BySerial(proposal.serial))
    return
  endif
  if verdict.taken
    if kind == 'diffAccepted'
      reload.WhenWritten(proposal.filePath)
    endif
    TakeAwayButEdits(proposal, kind == 'diffRejected', 'Rejected: ' .. proposal.label .. '.')
    Announce(kind == 'diffAccepted' ? 'DiffAccepted' : 'DiffRejected', proposal)
    return
  endif
  const reason = get(verdict, 'reason', 'The decision does not count.')
  if kind == 'diffRejected'
    TakeAwayButEdits(proposal, true, reason) # it was decided elsewhere, and its window is gone
    return
  endif
  say.Warn(reason)
  # The window may be gone with `:wq`; what was not taken must stay within reach.
  setbufvar(proposal.proposed, '&modified', true)
  quiet.WhenCalm(() => {
    view.Open(proposal)
  })
enddef

# `kind` is diffAccepted or diffRejected.
def Decide(proposal: dict<any>, kind: string)
  if empty(proposal) || proposal.deciding || empty(BySerial(proposal.serial))
    return
  endif
  if proposal.orphan
    TakeAwayButEdits(proposal, true, 'The companion that asked has ended.')
    return
  endif
  proposal.deciding = true
  var params = {id: proposal.id}
  if kind == 'diffAccepted'
    params.content = TextOf(proposal)
    setbufvar(proposal.proposed, '&modified', false)
  endif
  DecideAtServer(kind, params, (verdict) => {
    OnVerdict(proposal, kind, verdict)
  })
enddef

def NewBuffer(name: string, content: string): number
  const buffer = bufadd('ide-companion://' .. name)
  setbufvar(buffer, '&buftype', 'nofile')
  setbufvar(buffer, '&swapfile', false)
  noautocmd bufload(buffer)
  text.Put(buffer, content)
  return buffer
enddef

# The base is read-only; the proposal is written like a file, and that accepts it.
def CreateBuffers(proposal: dict<any>)
  const original: string = proposal.original == null ? '' : proposal.original
  proposal.base = NewBuffer(printf('%d/original/%s', proposal.serial, proposal.label), original)
  proposal.proposed = NewBuffer(printf('%d/proposed/%s', proposal.serial, proposal.label), proposal.newContent)
  for buffer in [proposal.base, proposal.proposed]
    setbufvar(buffer, '&bufhidden', 'hide')
  endfor
  setbufvar(proposal.base, '&modifiable', false)
  setbufvar(proposal.proposed, '&buftype', 'acwrite')
  augroup ide_companion_diff
    execute printf('autocmd BufWriteCmd <buffer=%d> OnWrite(%d)', proposal.proposed, proposal.serial)
    execute printf('autocmd BufUnload <buffer=%d> OnUnload(%d)', proposal.proposed, proposal.serial)
  augroup END
enddef

def OnWrite(number: number)
  const proposal = BySerial(number)
  const target = expand('<amatch>')
  if target ==# bufname(proposal.proposed) && !view.IsCurrent(proposal)
    # What writes all files, or saves by itself, must not decide behind the user's back.
    say.Warn(printf('The proposal for %s is accepted by :w in its own tab only.', proposal.label))
  elseif target ==# bufname(proposal.proposed)
    Decide(proposal, 'diffAccepted')
  else
    writefile(split(TextOf(proposal), "\n", true), target, 'b') # a copy for the user, which decides nothing
  endif
enddef

# Not before it is unloaded: until then it cannot be deleted.
def OnUnload(number: number)
  var proposal = BySerial(number)
  if !empty(proposal)
    proposal.last_text = TextOf(proposal)
  endif
  timer_start(0, (_) => {
    Decide(BySerial(number), 'diffRejected')
  })
enddef

# A window was closed: it counts as long as it is where the proposal is to be seen.
export def OnWindowGone(number: number, window: number)
  const proposal = BySerial(number)
  if !empty(proposal) && index([proposal.view.base, proposal.view.proposed], window) >= 0
    Decide(proposal, 'diffRejected')
  endif
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
  var proposal = extend({serial: serial, view: {}, deciding: false, orphan: false}, params)
  proposal.last_text = proposal.newContent
  CreateBuffers(proposal)
  add(proposals, proposal)
  try
    quiet.WhenCalm(() => {
      # Meanwhile it may be gone, or the user may have gone there.
      if !empty(BySerial(proposal.serial)) && empty(proposal.view)
        view.Open(proposal)
      endif
    })
  catch
    TakeAway(proposal) # it is shown elsewhere
    throw v:exception
  endtry
  say.Info(printf('%s proposes %s', proposal.agent, proposal.label))
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
  const content = TextOf(proposal)
  TakeAway(proposal)
  Announce('DiffClosed', proposal)
  return {content: content}
enddef

# `companion/readDiff`
export def Read(params: dict<any>): any
  return {content: TextOf(Expect(params.id))}
enddef

# Into a buffer of its own, which nothing shows and nothing deletes.
def KeepText(label: string, content: string, sentence: string)
  serial += 1
  const buffer = NewBuffer(printf('%d/kept/%s', serial, label), content)
  setbufvar(buffer, '&buflisted', true)
  say.Warn(printf('%s They are in buffer %d.', sentence, buffer))
enddef

# `companion/editsKept`
export def Keep(params: dict<any>)
  KeepText(params.label, params.content, params.text)
enddef

# The server is gone: nobody waits any more. What the user has edited stays to be looked at.
export def Orphan()
  for proposal in copy(proposals)
    proposal.deciding = false # the answer will not come
    if getbufinfo(proposal.proposed)[0].changed
      proposal.orphan = true
      view.Refresh(proposal)
    else
      TakeAway(proposal)
    endif
  endfor
enddef

# Does something with the proposal that is meant: the one in the current tab, else the oldest.
def WithCurrent(Action: func(dict<any>))
  const here = Find((proposal) => view.IsCurrent(proposal))
  const proposal = empty(here) ? get(proposals, 0, {}) : here
  if empty(proposal)
    say.Info('No proposal waits for your decision.')
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

# Goes to it.
export def Show()
  WithCurrent((proposal) => {
    view.Enter(proposal)
  })
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
