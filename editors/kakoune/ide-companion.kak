# Makes Kakoune the IDE of Gemini CLI, Qwen Code and other agents: docs/editors/kakoune.md.
#
# `ide-companion kakoune` runs next to the session. It sends commands to Kakoune by `kak -p`. Kakoune answers by
# files in a private folder: the context in `context`, every other message by the name of a file alone. Writing a
# file needs no process, and never waits for the other side.

declare-option -hidden str ide_companion_folder
# Whether the user wants a companion, which may be about to start.
declare-option -hidden bool ide_companion_enabled false
declare-option -hidden str-list ide_companion_files
declare-option -hidden str-list ide_companion_away
declare-option -hidden str-list ide_companion_busy
declare-option -hidden str ide_companion_selection
declare-option -hidden str-list ide_companion_anchor
# Keys since the last pause.
declare-option -hidden int ide_companion_keys
# Files that were saved, so that each report has a name.
declare-option -hidden int ide_companion_saves 0

declare-option -docstring "the state of the agents, for a modeline" str ide_companion_status
declare-option -docstring "the proposals that wait for a decision, by path" str-list ide_companion_waiting

# Options of the buffer of a proposal.
declare-option -hidden str ide_companion_id
declare-option -hidden str ide_companion_note
# Clients in insert mode.
declare-option -hidden str-list ide_companion_typing
declare-option -hidden line-specs ide_companion_flags
declare-option -hidden range-specs ide_companion_ranges
declare-option -hidden range-specs ide_companion_removed
declare-option -hidden line-specs ide_companion_changes

# Options of the buffer of a file: whether an agent has written the file and the buffer has unsaved edits; and what the
# file was before that.
declare-option -hidden bool ide_companion_apart false
declare-option -hidden str ide_companion_before

# The list and the id of what a buffer compares, and the label of its file.
declare-option -hidden str ide_companion_row
declare-option -hidden str ide_companion_row_label

set-face global IdeCompanionChange default,default+b
set-face global IdeCompanionRemoved red,default+i

# ── For the user ────────────────────────────────────────────────────────────────────────────────────────────────

define-command ide-companion-enable -docstring "be the IDE of the agents that run in this folder" %{
    evaluate-commands %sh{
        if [ "$kak_opt_ide_companion_enabled" = true ]; then exit; fi
        if ! command -v ide-companion >/dev/null; then
            echo "fail 'ide-companion is not in your PATH'"
            exit
        fi
        case "$kak_opt_modelinefmt" in
            *ide_companion_status*) ;;
            *) echo "set-option -add global modelinefmt ' %opt{ide_companion_status}'" ;;
        esac
        echo 'set-option global ide_companion_enabled true'
        echo 'ide-companion-start 1'
    }
}

define-command ide-companion-disable -docstring "be no IDE any more" %{
    set-option global ide_companion_enabled false
    evaluate-commands %sh{
        # The folder does not exist when the companion was killed.
        if [ -n "$kak_opt_ide_companion_folder" ]; then
            echo 'try %{ echo -to-file "%opt{ide_companion_folder}/end" }'
        fi
    }
    ide-companion-disconnected
}

define-command ide-companion-review -docstring "go to the next proposal that waits for a decision" %{
    evaluate-commands %sh{
        eval set -- "$kak_quoted_opt_ide_companion_waiting"
        if [ $# -eq 0 ]; then
            echo "fail 'no proposal waits for a decision'"
            exit
        fi
        next=$1 found=
        for path; do
            if [ -n "$found" ]; then next=$path; break; fi
            if [ "$path" = "$kak_buffile" ]; then found=yes; fi
        done
        printf "buffer '%s'\n" "$(printf %s "$next" | sed "s/'/''/g")"
    }
}

define-command ide-companion-accept -docstring "accept the proposal of this buffer as it stands, like :write" %{
    ide-companion-require-proposal
    write
}

define-command ide-companion-reject -docstring "reject the proposal of this buffer, like :delete-buffer" %{
    ide-companion-require-proposal
    delete-buffer!
}

define-command ide-companion-revert -docstring \
"make the change under the cursor as it was; in a file, what an agent wrote in the selected lines without asking" %{
    ide-companion-in-proposal-or-file \
        'echo -to-file "%opt{ide_companion_folder}/revert.%opt{ide_companion_id}.%val{cursor_line}"' revert
}

define-command ide-companion-keep -docstring "keep what an agent wrote in the selected lines without asking, and go on" %{
    ide-companion-act-on-written keep
}

define-command ide-companion-next-change -docstring \
"go to the next change of the proposal; from a file to the next one that an agent wrote without asking, in any file" %{
    ide-companion-in-proposal-or-file 'ide-companion-go-to-change next' next
}

define-command ide-companion-previous-change -docstring "go to the previous change of the proposal, or of what agents wrote" %{
    ide-companion-in-proposal-or-file 'ide-companion-go-to-change previous' previous
}

define-command ide-companion-waiting -docstring "choose among the proposals that wait" %{
    ide-companion-request list.waiting
}

define-command ide-companion-accept-all -docstring "accept all proposals as they stand, after a question" %{
    ide-companion-request act.waiting..accept
}

define-command ide-companion-reject-all -docstring "reject all proposals, after a question" %{
    ide-companion-request act.waiting..reject
}

define-command ide-companion-stop-ahead -docstring "decide yourself again about what is accepted ahead" %{
    ide-companion-request act.waiting..stop-ahead
}

define-command ide-companion-edits -docstring "choose among what you typed in proposals and their files do not hold" %{
    ide-companion-request list.edits
}

define-command ide-companion-history -docstring "choose among what was decided" %{
    ide-companion-request list.history
}

define-command ide-companion-written -docstring "choose among what agents wrote without asking" %{
    ide-companion-request list.written
}

define-command ide-companion-comments -docstring "choose among your comments that no agent has received" %{
    ide-companion-request list.comments
}

define-command ide-companion-act -docstring "choose what to do with what this buffer compares" %{
    evaluate-commands %sh{
        if [ -z "$kak_opt_ide_companion_row" ]; then echo "fail 'nothing of a list is here: see :ide-companion-edits and -history'"; fi
    }
    ide-companion-request "actions.%opt{ide_companion_row}"
}

define-command ide-companion-merge -docstring "merge your unsaved edits with what an agent has written to the file" %{
    ide-companion-require-companion
    evaluate-commands %sh{
        if [ "$kak_opt_ide_companion_apart" = false ]; then echo "fail 'no agent has written this file since your edits'"; fi
    }
    evaluate-commands -no-hooks %{ write! "%opt{ide_companion_folder}/mine" }
    echo -quoting kakoune -to-file "%opt{ide_companion_folder}/merge" -- \
        %val{client} %val{buffile} %opt{ide_companion_before} end
}

define-command ide-companion-send -docstring "put a reference to the selected lines into the prompt of a connected agent" %{
    ide-companion-require-companion
    ide-companion-require-file
    echo -quoting kakoune -to-file "%opt{ide_companion_folder}/send" -- \
        %val{buffile} %val{buf_line_count} %val{selection_desc} end
}

define-command ide-companion-status -docstring "say who is connected, what waits, and when you review what agents write" %{
    ide-companion-request status
}

define-command ide-companion-pause -docstring "send agents no context until :ide-companion-resume" %{
    ide-companion-request pause
}

define-command ide-companion-resume -docstring "send agents the context again" %{
    ide-companion-request resume
}

define-command ide-companion-page -docstring "show what waits on the review page too, in your browser" %{
    ide-companion-request page
}

define-command ide-companion-review-mode -params 0..1 -docstring \
"ide-companion-review-mode [before|after|off]: when you look at what agents write in this folder" %{
    ide-companion-request "review.%arg{@}"
}
complete-command ide-companion-review-mode shell-script-candidates %{ printf '%s\n' before after off }

define-command ide-companion-terminal -params .. -docstring \
"ide-companion-terminal [<program> <argument>...]: a new terminal, whose agents find this Kakoune" %{
    ide-companion-require-companion
    try %{
        echo -quoting kakoune -to-file "%opt{ide_companion_folder}/terminal" -- %val{client} %arg{@} end
    } catch %{
        fail 'the companion has ended'
    }
}
complete-command ide-companion-terminal shell

declare-user-mode ide-companion
map global ide-companion v ': ide-companion-review<ret>' -docstring 'view the next proposal'
map global ide-companion a ': ide-companion-accept<ret>' -docstring 'accept'
map global ide-companion r ': ide-companion-reject<ret>' -docstring 'reject'
map global ide-companion b ': ide-companion-revert<ret>' -docstring 'revert this change'
map global ide-companion s ': ide-companion-send<ret>' -docstring 'send the selected lines'
map global ide-companion k ': ide-companion-keep<ret>' -docstring 'keep this change'
map global ide-companion n ': ide-companion-next-change<ret>' -docstring 'next change'
map global ide-companion w ': ide-companion-waiting<ret>' -docstring 'proposals that wait'
map global ide-companion e ': ide-companion-edits<ret>' -docstring 'recovered edits'
map global ide-companion h ': ide-companion-history<ret>' -docstring 'decisions'
map global ide-companion c ': ide-companion-written<ret>' -docstring 'changes written without asking'
map global ide-companion p ': ide-companion-previous-change<ret>' -docstring 'previous change'

# ── For `ide-companion kakoune` ─────────────────────────────────────────────────────────────────────────────────

# <pause>: when it fails, it is started again after so many seconds, which grow, as long as the session is there. By
# Kakoune: when the client quits with which a session has begun, and others stay, the session goes on in another process.
define-command -hidden ide-companion-start -params 1 %{
    nop %sh{
        (
            # The session may outlive the terminal that it has begun in.
            trap '' HUP
            # $PPID is Kakoune here.
            problem=$(ide-companion kakoune "$kak_session" "$PPID" 2>&1 >/dev/null) && exit
            sleep "$1"
            problem=$(printf %s "$problem" | sed "s/'/''/g")
            printf "ide-companion-restart %s '%s'" "$1" "$problem" | kak -p "$kak_session"
        ) >/dev/null 2>&1 </dev/null &
    }
}

# <pause before it> <what the companion has written before it ended>
define-command -hidden ide-companion-restart -params 2 %{
    evaluate-commands %sh{
        if [ "$kak_opt_ide_companion_enabled" = false ]; then exit; fi
        if [ -n "$2" ]; then
            echo 'echo -debug ide-companion: %arg{2}'
            if [ "$1" -eq 1 ]; then
                echo 'ide-companion-say "The companion has failed, and starts again: see :buffer *debug*"'
            fi
        fi
        if [ "$1" -gt 60 ]; then echo "ide-companion-start $1"; else echo "ide-companion-start $(($1 * 2))"; fi
    }
}

# <folder>
define-command -hidden ide-companion-connected -params 1 %{
    remove-hooks global ide-companion
    ide-companion-orphan
    set-option global ide_companion_waiting
    set-option global ide_companion_folder %arg{1}
    set-option global ide_companion_files
    evaluate-commands -buffer * %{ set-option -add global ide_companion_files %val{buffile} }
    hook -group ide-companion global BufCreate .* %{ set-option -add global ide_companion_files %val{buffile} }
    hook -group ide-companion global BufClose .* %{ set-option -remove global ide_companion_files %val{buffile} }
    hook -group ide-companion global BufWritePost .* %{
        set-option -add global ide_companion_saves 1
        echo -to-file "%opt{ide_companion_folder}/saved.%opt{ide_companion_saves}" -- %val{hook_param}
    }
    # Clients that are not in normal mode.
    hook -group ide-companion global ModeChange '(push|pop):normal:.*' %{
        ide-companion-add-client ide_companion_busy %val{client}
    }
    hook -group ide-companion global ModeChange '(push|pop):.*:normal' %{ set-option -remove global ide_companion_busy %val{client} }
    hook -group ide-companion global NormalIdle .* %{
        set-option -remove global ide_companion_busy %val{client}
        ide-companion-update-context
    }
    hook -group ide-companion global InsertIdle .* ide-companion-update-context
    # Kakoune is not idle before 50 ms without a key: a key that is held down would hide where its user is.
    hook -group ide-companion global NormalKey .* ide-companion-count-key
    hook -group ide-companion global InsertKey .* ide-companion-count-key
    hook -group ide-companion global User ide-companion-keys-8 ide-companion-update-context
    hook -group ide-companion global WinDisplay .* ide-companion-update-context
    hook -group ide-companion global FocusIn .* %{ set-option -remove global ide_companion_away %val{client} }
    hook -group ide-companion global FocusOut .* %{ ide-companion-add-client ide_companion_away %val{client} }
    # The next client may have its name.
    hook -group ide-companion global ClientClose .* %{
        set-option -remove global ide_companion_away %val{hook_param}
        set-option -remove global ide_companion_busy %val{hook_param}
    }
    hook -group ide-companion global KakEnd .* %{ echo -to-file "%opt{ide_companion_folder}/end" }
    hook -group ide-companion global User 'ide-companion-context-\d{1,5}' %{ ide-companion-send-context %val{selection} }
    # Of a longer selection only the beginning is sent.
    hook -group ide-companion global User 'ide-companion-context-\d{6,}' %{
        evaluate-commands -draft %{
            execute-keys ',<a-:><a-;>;500J'
            set-option global ide_companion_selection %val{selection}
        }
        ide-companion-send-context %opt{ide_companion_selection}
    }
    evaluate-commands %sh{
        for client in $kak_client_list; do echo "evaluate-commands -client $client ide-companion-update-context"; done
        # The user has not waited for it.
        if [ "$kak_opt_ide_companion_enabled" = false ]; then echo ide-companion-disable; fi
    }
}

# <option> <client>: once, since `-remove` takes one away.
define-command -hidden ide-companion-add-client -params 2 %{
    set-option -remove global %arg{1} %arg{2}
    set-option -add global %arg{1} %arg{2}
}

define-command -hidden ide-companion-disconnected %{
    remove-hooks global ide-companion
    ide-companion-orphan
    set-option global ide_companion_folder ''
    set-option global ide_companion_status ''
    set-option global ide_companion_waiting
    # Nobody notices any more which client has the focus.
    set-option global ide_companion_away
}

# Detaches the open proposals. Their text stays, but the next companion counts its proposals from 1 again.
define-command -hidden ide-companion-orphan %{
    evaluate-commands -buffer * %{
        remove-hooks buffer ide-companion
        trigger-user-hook ide-companion-release-false
        # The replaced lines would no longer match the edited text.
        try %{ remove-highlighter buffer/ide-companion-removed }
        set-option buffer ide_companion_id ''
        set-option buffer ide_companion_note 'nobody waits for this any more'
    }
}

define-command -hidden ide-companion-count-key %{
    set-option -add global ide_companion_keys 1
    trigger-user-hook "ide-companion-keys-%opt{ide_companion_keys}"
}

define-command -hidden ide-companion-update-context %{
    set-option global ide_companion_keys 0
    # A condition without a process: the filter of the hook matches the length.
    trigger-user-hook "ide-companion-context-%val{selection_length}"
}

# <selection>; columns are computed from the text between the start of the line and the cursor or the anchor.
define-command -hidden ide-companion-send-context -params 1 %{
    evaluate-commands -draft %{
        execute-keys ',<a-;>;Gh'
        set-option global ide_companion_anchor %val{cursor_line} %val{selection}
    }
    evaluate-commands -draft %{
        execute-keys ',;Gh'
        # The folder does not exist when the companion has just ended.
        try %{
            echo -quoting kakoune -to-file "%opt{ide_companion_folder}/context" -- \
                %val{session} %val{client} %val{buffile} %val{timestamp} %val{cursor_line} %val{selection} \
                %opt{ide_companion_anchor} %arg{1} %opt{ide_companion_files} end
        }
    }
}

# <path> <id> <note in the modeline> <line of the first change>
define-command -hidden ide-companion-open -params 4 %{
    edit -existing %arg{1}
    set-option buffer ide_companion_id %arg{2}
    set-option buffer ide_companion_note %arg{3}
    set-option buffer modelinefmt '{+b}%opt{ide_companion_note}{default} - {{context_info}} {{mode_info}} - %val{client}@[%val{session}]'
    ide-companion-show-marks
    hook -once buffer WinDisplay .* "execute-keys %arg{4}gvc"
    hook -group ide-companion buffer BufWritePost .* %{
        evaluate-commands %sh{
            # Writing it to another file decides nothing.
            if [ "$kak_hook_param" = "$kak_buffile" ]; then
                echo 'evaluate-commands -client %val{client} "ide-companion-accept-written %opt{ide_companion_id}"'
            fi
        }
    }
    hook -group ide-companion buffer BufClose .* %{ try %{ echo -to-file "%opt{ide_companion_folder}/reject.%opt{ide_companion_id}" } }
    echo -to-file "%opt{ide_companion_folder}/opened.%arg{2}"
}

# Shows what the options of this buffer mark.
define-command -hidden ide-companion-show-marks %{
    add-highlighter -override buffer/ide-companion-flags flag-lines Default ide_companion_flags
    add-highlighter -override buffer/ide-companion-ranges ranges ide_companion_ranges
    add-highlighter -override buffer/ide-companion-removed replace-ranges ide_companion_removed
    remove-hooks buffer ide-companion
    # Text typed at the end of a line would appear after the replaced line.
    hook -group ide-companion buffer ModeChange 'push:.*:insert' %{
        set-option -add buffer ide_companion_typing %val{client}
        try %{ remove-highlighter buffer/ide-companion-removed }
    }
    hook -group ide-companion buffer ModeChange 'pop:insert:.*' %{
        set-option -remove buffer ide_companion_typing %val{client}
        try %{ add-highlighter buffer/ide-companion-removed replace-ranges ide_companion_removed }
    }
}

# <timestamp>: fails when the text of the proposal is another one by now, or somebody types in it.
define-command -hidden ide-companion-require-calm -params 1 %{
    evaluate-commands %sh{
        if [ "$1$kak_opt_ide_companion_typing" != "$kak_timestamp" ]; then echo "fail 'the user types here'"; fi
    }
}

# <id>: `:write-all` from another buffer decides nothing.
define-command -hidden ide-companion-accept-written -params 1 %{
    evaluate-commands %sh{
        if [ "$1" = "$kak_opt_ide_companion_id" ]; then
            echo 'echo -to-file "%opt{ide_companion_folder}/accept.%arg{1}"'
        else
            echo "info -title ide-companion 'A proposal is accepted by :write in its own buffer only'"
        fi
    }
}

# <path> <message>: opens the buffer in clients without the focus; other clients show the message, and so do those
# in which the user is typing.
define-command -hidden ide-companion-announce -params 2 %{
    evaluate-commands %sh{
        note='info -title ide-companion %arg{2}'
        for client in $kak_client_list; do
            case " $kak_opt_ide_companion_away " in *" $client "*) show='buffer %arg{1}' ;; *) show=$note ;; esac
            # Keys for the buffer would be typed into it.
            case " $kak_opt_ide_companion_busy " in *" $client "*) show=$note ;; esac
            echo "evaluate-commands -client $client %{ $show }"
        done
    }
}

# <path> <its text>: an agent is about to write it. ide-companion-follow answers the question that Kakoune would ask.
# Both go to the buffer from another one: `-buffer` takes a list, and would split the path at a comma.
define-command -hidden ide-companion-hold -params 2 %{
    try %{ evaluate-commands -buffer *debug* %{
        buffer %arg{1}
        evaluate-commands %sh{
            # Edits that are apart since an earlier change have their own text to be merged with.
            if [ "$kak_opt_ide_companion_apart" = false ]; then echo 'ide-companion-hold-here %arg{2}'; fi
        }
    } }
}

define-command -hidden ide-companion-hold-here -params 1 %{
    set-option buffer ide_companion_before %arg{1}
    set-option buffer autoreload no
    hook -once -group ide-companion-hold buffer User 'ide-companion-release-(true|false)' %{
        unset-option buffer autoreload
        evaluate-commands %sh{
            case "$kak_hook_param_capture_1 $kak_modified $kak_opt_autoreload" in
                'true true '*) echo ide-companion-keep-apart ;;
                'true false no') ;;
                'true false '*) echo 'edit! -existing %val{buffile}' ;;
            esac
        }
    }
}

# Guards unsaved edits, and what an agent has written: `:write` fails, and nothing is reloaded. The option `readonly` would
# take edits as well.
define-command -hidden ide-companion-keep-apart %{
    set-option buffer ide_companion_apart true
    set-option buffer autoreload no
    alias buffer w ide-companion-refuse
    alias buffer write ide-companion-refuse
    alias buffer wq ide-companion-refuse
    alias buffer write-quit ide-companion-refuse
    hook -group ide-companion-apart buffer BufWritePost .* %{ evaluate-commands %sh{
        if [ "$kak_hook_param" = "$kak_buffile" ]; then echo ide-companion-together; fi
    } }
    hook -group ide-companion-apart buffer BufReload .* ide-companion-together
    ide-companion-say "%val{bufname} is written, without your unsaved edits.
:ide-companion-merge adds them, :w! overwrites it"
}

define-command -hidden ide-companion-refuse -params .. %{
    fail 'an agent has written this file: :ide-companion-merge adds that to your edits, :w! overwrites it'
}

define-command -hidden ide-companion-unguard %{
    unalias buffer w
    unalias buffer write
    unalias buffer wq
    unalias buffer write-quit
}

# The buffer has what its file has.
define-command -hidden ide-companion-together %{
    remove-hooks buffer ide-companion-apart
    ide-companion-unguard
    unset-option buffer autoreload
    set-option buffer ide_companion_apart false
    set-option buffer ide_companion_before ''
}

# <path> <true when it has been written>: reloads the buffer, unless it has unsaved edits.
define-command -hidden ide-companion-follow -params 2 %{
    try %{ evaluate-commands -buffer *debug* %{
        buffer %arg{1}
        trigger-user-hook "ide-companion-release-%arg{2}"
    } }
}

# <number> <client> <path> [<line> <column>]: in the client for jumps, else in this one, else in any.
define-command -hidden ide-companion-show -params 3..5 %{
    evaluate-commands %sh{
        set -- "$kak_opt_jumpclient" "$2" ${kak_client_list}
        for client; do
            case " $kak_client_list " in
                *" ${client:-none} "*) echo "evaluate-commands -client $client 'ide-companion-show-here %arg{@}'"; exit ;;
            esac
        done
        echo 'echo -to-file "%opt{ide_companion_folder}/failed.%arg{1}"'
    }
}

# The same in this client, unless the user types or reviews in it.
define-command -hidden ide-companion-show-here -params 3..5 %{
    evaluate-commands %sh{
        case " $kak_opt_ide_companion_busy " in *" $kak_client "*) busy=yes ;; esac
        if [ -n "$busy$kak_opt_ide_companion_id" ]; then
            echo 'echo -to-file "%opt{ide_companion_folder}/busy.%arg{1}"'
            exit
        fi
        echo 'try %{'
        echo "    edit -existing %arg{3} $4 $5"
        if [ $# -eq 5 ]; then echo '    execute-keys vc'; fi
        echo '    echo -to-file "%opt{ide_companion_folder}/shown.%arg{1}"'
        echo '} catch %{'
        echo '    echo -to-file "%opt{ide_companion_folder}/failed.%arg{1}"'
        echo '}'
    }
}

# <message>
define-command -hidden ide-companion-say -params 1 %{
    evaluate-commands %sh{
        for client in $kak_client_list; do
            echo "evaluate-commands -client $client %{ info -title ide-companion \"%arg{1}\" }"
        done
    }
    echo -debug ide-companion: %arg{1}
}

# <words of the companion's, joined by dots>
define-command -hidden ide-companion-request -params 1 %{
    ide-companion-require-companion
    echo -to-file "%opt{ide_companion_folder}/%arg{1}.%val{client}"
}

# <path of the comparison> <list and id> <label>
define-command -hidden ide-companion-show-row -params 3 %{
    edit -existing %arg{1}
    set-option buffer ide_companion_row %arg{2}
    set-option buffer filetype diff
    set-option buffer readonly true
    # In the format itself, the label would be expanded.
    set-option buffer ide_companion_row_label %arg{3}
    set-option buffer modelinefmt '{+b}%opt{ide_companion_row_label}, :ide-companion-act{default} - %val{client}@[%val{session}]'
}

# <list and id>
define-command -hidden ide-companion-close-row -params 1 %{
    evaluate-commands %sh{
        if [ "$kak_opt_ide_companion_row" = "$1" ]; then echo 'delete-buffer!'; fi
    }
}

# <path of the file> <text> <end of line> <true when unsaved edits are to stay> <what to say of the file then>
define-command -hidden ide-companion-put -params 5 %{
    edit %arg{1}
    try %{
        evaluate-commands %sh{
            if [ "$4 $kak_modified" = 'true true' ]; then echo fail; fi
        }
        set-option buffer eolformat %arg{3}
        evaluate-commands -draft -save-regs '"' %{
            set-register dquote %arg{2}
            execute-keys '%R'
        }
        ide-companion-say "%val{bufname} %arg{5}"
    } catch %{
        ide-companion-say "%val{bufname} has edits that you have not saved: save them first"
    }
}

define-command -hidden ide-companion-require-companion %{
    evaluate-commands %sh{
        if [ -z "$kak_opt_ide_companion_folder" ]; then echo "fail 'the companion does not run'"; fi
    }
}

define-command -hidden ide-companion-require-file %{
    evaluate-commands %sh{
        case "$kak_buffile" in
            /*) [ -z "$kak_opt_ide_companion_id" ] || echo "fail 'this is a proposal, and no file'" ;;
            *) echo "fail 'this buffer has no file'" ;;
        esac
    }
}

# <command> <verb>: the command in a proposal; in a file the companion does the verb.
define-command -hidden ide-companion-in-proposal-or-file -params 2 %{
    evaluate-commands %sh{
        if [ -n "$kak_opt_ide_companion_id" ]; then echo 'evaluate-commands %arg{1}'; else echo 'ide-companion-act-on-written %arg{2}'; fi
    }
}

# <keep, revert, next or previous>: what an agent wrote in this file.
define-command -hidden ide-companion-act-on-written -params 1 %{
    ide-companion-require-companion
    ide-companion-require-file
    echo -quoting kakoune -to-file "%opt{ide_companion_folder}/written" -- \
        %arg{1} %val{client} %val{buffile} %val{selection_desc} end
}

define-command -hidden ide-companion-require-proposal %{
    evaluate-commands %sh{
        if [ -z "$kak_opt_ide_companion_id" ]; then echo "fail 'this is no proposal: see :ide-companion-review'"; fi
    }
}

# <next or previous>
define-command -hidden ide-companion-go-to-change -params 1 %{
    update-option buffer ide_companion_changes
    evaluate-commands %sh{
        direction=$1 target=
        eval set -- "$kak_quoted_opt_ide_companion_changes"
        shift # the timestamp
        for change; do
            line=${change%%|*}
            case $direction in
                next) if [ -z "$target" ] && [ "$line" -gt "$kak_cursor_line" ]; then target=$line; fi ;;
                previous) if [ "$line" -lt "$kak_cursor_line" ]; then target=$line; fi ;;
            esac
        done
        if [ -n "$target" ]; then echo "execute-keys ${target}gvc"; else echo "fail 'no $direction change'"; fi
    }
}
