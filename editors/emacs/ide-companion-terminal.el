;;; ide-companion-terminal.el --- Agents in terminals of Emacs  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts an agent in Vterm, Eat or Term, goes to it, hides it, and types into
;; its prompt.

;;; Code:

(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-roots)
(require 'ide-companion-server)
(require 'ide-companion-status)
(require 'ide-companion-text)

(declare-function eat-make "eat")
(declare-function term-char-mode "term")
(declare-function vterm-mode "vterm")
(defvar term-home-marker)
(defvar vterm-kill-buffer-on-exit)
(defvar vterm-shell)

(defvar ide-companion--latest nil "The terminal of an agent that was shown last.")

(defvar-local ide-companion--terminal-agent nil "Whose terminal this buffer is.")

(defun ide-companion--pop-to-terminal (buffer)
  "Select a window with BUFFER, the terminal of an agent."
  (pop-to-buffer buffer ide-companion-terminal-display-action))

(defun ide-companion--run-in-term (name command &optional make)
  "Run COMMAND in a terminal called NAME, of Term or else by MAKE."
  (let ((buffer (apply (or make #'make-term) (substring name 1 -1) (car command) nil (cdr command))))
    (with-current-buffer buffer
      (rename-buffer name) ; `make-term' has another place for the number
      (unless make (term-char-mode)))
    (ide-companion--pop-to-terminal buffer)
    buffer))

(defun ide-companion--run-in-eat (name command)
  "Run COMMAND in a terminal of Eat called NAME."
  (ide-companion--run-in-term name command #'eat-make))

(defun ide-companion--run-in-vterm (name command)
  "Run COMMAND in a terminal of Vterm called NAME."
  (let ((vterm-shell (mapconcat #'shell-quote-argument command " "))
        (buffer (get-buffer-create name)))
    (ide-companion--pop-to-terminal buffer)
    (vterm-mode)
    ;; The last output of an agent stays readable.
    (setq-local vterm-kill-buffer-on-exit nil)
    buffer))

(defun ide-companion--terminal-function ()
  "The function that opens a terminal."
  (pcase ide-companion-terminal
    ('vterm #'ide-companion--run-in-vterm)
    ('eat #'ide-companion--run-in-eat)
    ('term #'ide-companion--run-in-term)
    ('nil (cond ((fboundp 'vterm) #'ide-companion--run-in-vterm)
                ((fboundp 'eat) #'ide-companion--run-in-eat)
                (t #'ide-companion--run-in-term)))
    (function function)))

(defun ide-companion--running-p (terminal)
  "Whether the agent of the buffer TERMINAL is alive."
  (and (buffer-live-p terminal) (process-live-p (get-buffer-process terminal))))

(defun ide-companion--terminal-of (agent folder)
  "The live terminal of AGENT in FOLDER that was shown last, or nil."
  (let ((place (file-name-as-directory folder)))
    (seq-find (lambda (buffer)
                (with-current-buffer buffer
                  (and (equal ide-companion--terminal-agent agent)
                       (equal default-directory place)
                       (ide-companion--running-p buffer))))
              (buffer-list))))

(defun ide-companion--toggle (terminal)
  "Go to TERMINAL, or hide it when the user is in it."
  (setq ide-companion--latest terminal)
  (if (eq terminal (window-buffer))
      (quit-window)
    (ide-companion--pop-to-terminal terminal)))

(defun ide-companion--latest-terminal ()
  "The terminal that was shown last, if its agent is alive, or else any other."
  (if (ide-companion--running-p ide-companion--latest)
      ide-companion--latest
    (seq-find #'ide-companion--running-p (ide-companion--terminals))))

(defun ide-companion--terminals ()
  "The buffers with terminals of agents, the one that was selected last first."
  (seq-filter (lambda (buffer) (buffer-local-value 'ide-companion--terminal-agent buffer))
              (buffer-list)))

(defun ide-companion-toggle ()
  "Hide the terminal of the agent that was shown last, or show it.
When there is none, ask for an agent and start it."
  (interactive)
  (let* ((terminal (ide-companion--latest-terminal))
         (window (and terminal (get-buffer-window terminal))))
    (cond (window (quit-window nil window))
          (terminal (ide-companion--toggle terminal))
          (t (call-interactively #'ide-companion-run)))))

(defun ide-companion-focus ()
  "Go to the terminal of the agent that was shown last; from there, back.
When there is none, ask for an agent and start it."
  (interactive)
  (let ((terminal (ide-companion--latest-terminal)))
    (cond ((null terminal) (call-interactively #'ide-companion-run))
          ((eq terminal (window-buffer))
           (let ((window (get-mru-window nil t t)))
             (unless window (user-error "There is no other window"))
             (select-window window)))
          (t (ide-companion--toggle terminal)))))

(defun ide-companion--run-now (agent arguments folder)
  "Start AGENT with ARGUMENTS in a terminal in FOLDER."
  (let* ((default-directory (file-name-as-directory folder))
         (buffer (generate-new-buffer-name (format "*%s*" agent)))
         (process-environment (append (mapcar (lambda (variable)
                                                (format "%s=%s" (car variable) (cdr variable)))
                                              (ide-companion-environment))
                                      process-environment)))
    (setq ide-companion--latest
          (funcall (ide-companion--terminal-function)
                   buffer
                   ;; The program of the server, with another command.
                   (append (butlast ide-companion-command) '("run")
                           (and ide-companion-terminal-tmux (list "--tmux" (string-replace "*" "" buffer)))
                           (list agent "--") arguments)))
    (with-current-buffer ide-companion--latest
      (setq ide-companion--terminal-agent agent))))

(defun ide-companion--run-folder ()
  "The folder in which an agent is started from the current buffer."
  (or (and (not (file-remote-p default-directory))
           (ide-companion--project-of (current-buffer)))
      (ide-companion--folder default-directory)
      (user-error "%s is not on this machine" default-directory)))

(defun ide-companion--await (folder)
  "Start the program, and wait until it serves FOLDER.
Give up after 5 seconds, or when the program cannot be started."
  (let ((before ide-companion--status))
    (add-to-list 'ide-companion--run-folders folder)
    (ide-companion-start)
    (with-timeout (5)
      (while (and ide-companion--wanted
                  (or (null ide-companion--status) (eq before ide-companion--status)))
        (accept-process-output nil 0.05)))))

(defun ide-companion--read-agent ()
  "Ask for the name of an agent.  The program knows the names."
  (unless ide-companion--agents
    (ide-companion--await (ide-companion--run-folder)))
  (let ((names (mapcar (lambda (agent) (plist-get agent :name)) ide-companion--agents)))
    (completing-read "Agent: " names nil nil nil nil
                     (or (and (ide-companion--running-p ide-companion--latest)
                              (buffer-local-value 'ide-companion--terminal-agent ide-companion--latest))
                         (car names)))))

;;;###autoload
(defun ide-companion-run (agent &optional arguments another)
  "Start AGENT in a terminal of this Emacs, or go to its terminal.
In that terminal, hide it.  Its folder is the project of the current
buffer.  With ARGUMENTS, a list of strings, or when ANOTHER is
non-nil, start another one.  With a prefix argument, ask for the
arguments of another one."
  (interactive
   (list (ide-companion--read-agent)
         (and current-prefix-arg (split-string-and-unquote (read-string "Arguments: ")))
         current-prefix-arg))
  (let* ((folder (ide-companion--run-folder))
         (terminal (ide-companion--terminal-of agent folder)))
    (if (and terminal (not arguments) (not another))
        (ide-companion--toggle terminal)
      (ide-companion--run-soon agent arguments folder))))

(defun ide-companion--run-soon (agent arguments folder)
  "Start AGENT with ARGUMENTS when the program serves FOLDER."
  (unless (and ide-companion--status (ide-companion--roots-above folder))
    (ide-companion--await folder))
  (when ide-companion--status
    (ide-companion--run-now agent arguments folder)))

;;;###autoload
(defun ide-companion-continue (agent)
  "Start AGENT with its last session of the project.
If its terminal is alive, go there instead."
  (interactive (list (ide-companion--read-agent)))
  (let* ((folder (ide-companion--run-folder))
         (terminal (ide-companion--terminal-of agent folder))
         (known (seq-find (lambda (one) (equal (plist-get one :name) agent))
                          ide-companion--agents))
         (arguments (append (plist-get known :resumeArguments) nil)))
    (cond
     (terminal (ide-companion--toggle terminal))
     (arguments (ide-companion--run-soon agent arguments folder))
     (t (user-error "%s has no last session that it could go on with"
                    (or (plist-get known :displayName) agent))))))

(defun ide-companion--latest-process ()
  "The process of the agent that was shown last, unless it has ended."
  (and (ide-companion--running-p ide-companion--latest)
       (get-buffer-process ide-companion--latest)))

(defun ide-companion--type-prompt (process prompt)
  "Type PROMPT into the terminal of PROCESS, as one paste.
A line end in it sends nothing, and no character of it answers a
question that the agent asks."
  (process-send-string process (concat "\e[200~" prompt "\e[201~")))

;; A message typed into a prompt in Term waits there: the user looks at it first; nothing presses RET.

(defun ide-companion--find-terminal (pids)
  "The process of a terminal of Term that is one of PIDS, or nil."
  (seq-find (lambda (process)
              (and (seq-contains-p pids (process-id process) #'eql)
                   (buffer-live-p (process-buffer process))
                   (with-current-buffer (process-buffer process)
                     (and (derived-mode-p 'term-mode) (markerp term-home-marker)))))
            (process-list)))

(defun ide-companion--read-terminal (params)
  "`companion/readTerminal' with PARAMS: a terminal's text."
  (let ((process (ide-companion--find-terminal (plist-get params :pids))))
    (if process
        (list :pid (process-id process)
              :screen (with-current-buffer (process-buffer process)
                        (save-restriction
                          (widen)
                          (buffer-substring-no-properties term-home-marker (point-max)))))
      (make-hash-table))))

(defun ide-companion--type-in-terminal (params)
  "`companion/typeInTerminal' with PARAMS: paste a text, without RET."
  (let ((process (ide-companion--find-terminal (list (plist-get params :pid)))))
    (unless process (error "No terminal has process %d" (plist-get params :pid)))
    (ide-companion--type-prompt process (plist-get params :text))
    nil))

(provide 'ide-companion-terminal)
;;; ide-companion-terminal.el ends here
