;;; ide-companion-server.el --- Life of the companion process  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Starts, introduces, restarts and stops the program, and dispatches its
;; messages.

;;; Code:

(eval-when-compile
  (require 'subr-x))
(require 'ide-companion-act)
(require 'ide-companion-capabilities)
(require 'ide-companion-context)
(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-review)
(require 'ide-companion-roots)
(require 'ide-companion-rpc)
(require 'ide-companion-status)
(require 'ide-companion-written)

(declare-function ide-companion-mode "ide-companion")
(declare-function jsonrpc-error "jsonrpc")
(declare-function jsonrpc-notify "jsonrpc")
(declare-function jsonrpc-running-p "jsonrpc")
(defvar ide-companion-mode)

;; After the program has run for so long, in seconds, the next restart waits
;; only for the first delay.
(defconst ide-companion--stable 60)
(defconst ide-companion--delays '(1 . 60) "The first wait and the longest, in seconds.")

(defvar ide-companion--wanted nil "Whether the program shall run.")
(defvar ide-companion--delay (car ide-companion--delays))
(defvar ide-companion--restart-timer nil)
(defconst ide-companion--handlers
  '((companion/openDiff . ide-companion--open)
    (companion/closeDiff . ide-companion--close)
    (companion/readDiff . ide-companion--read)
    (companion/updateDiff . ide-companion--update)
    (companion/comments . ide-companion--take-comments)
    (companion/fileWritten . ide-companion--file-written)
    (companion/writtenHunks . ide-companion--written-hunks)
    (companion/news . ide-companion--news)
    (companion/openFile . ide-companion--open-file)
    (companion/diagnostics . ide-companion--diagnostics)
    (companion/readTerminal . ide-companion--read-terminal)
    (companion/typeInTerminal . ide-companion--type-in-terminal)
    (companion/status . ide-companion--set-status)
    (window/showMessage . ide-companion--show-message)
    (window/logMessage . ide-companion--log-message)
    (window/showDocument . ide-companion--show-document)))

(defun ide-companion--on-request (_connection method params)
  "Answer the request METHOD of the program, with PARAMS."
  (let ((handler (alist-get method ide-companion--handlers)))
    (unless handler
      (jsonrpc-error :code -32601 :message (format "unknown: %s" method)))
    (condition-case failure
        (funcall handler params)
      (error
       (ide-companion--log (format "%s: %s" method (error-message-string failure)))
       (jsonrpc-error :code -32603 :message (error-message-string failure))))))

(defun ide-companion--on-notification (_connection method params)
  "Take the notification METHOD of the program, with PARAMS."
  (let ((handler (alist-get method ide-companion--handlers)))
    (when handler
      (ide-companion--guarded handler params))))

(defun ide-companion--show-message (params)
  "`window/showMessage' with PARAMS."
  (ide-companion--say "%s" (plist-get params :message)))

(defun ide-companion--log-message (params)
  "`window/logMessage' with PARAMS."
  (ide-companion--log (plist-get params :message)))

(defun ide-companion--initialize-params (roots)
  "The parameters of `initialize', with ROOTS open."
  (list :processId (emacs-pid)
        :clientInfo (list :name "Emacs" :version emacs-version)
        :rootUri nil
        :workspaceFolders (ide-companion--workspace-folders roots)
        :initializationOptions
        (list :exclude (vconcat ide-companion-exclude)
              :excludeGitIgnored (if ide-companion-exclude-git-ignored t :json-false)
              :agentAccept (if ide-companion-agent-accept t :json-false))
        :capabilities (list :window '(:showDocument (:support t))
                            :experimental
                            (list :ideCompanion
                                  (list :version 1 :openFile t :diagnostics t :terminals t :comments t)))))

(defun ide-companion--remedy ()
  "Why the program cannot be started, with the remedy, or nil."
  (unless (executable-find (car ide-companion-command))
    (format (concat "There is no %s in `exec-path': npm install --global ide-companion, "
                    "or set `ide-companion-command'")
            (car ide-companion-command))))

(defun ide-companion--connect (roots)
  "Start the program and send `initialize', with ROOTS open."
  (condition-case failure
      (let ((remedy (ide-companion--remedy)))
        (when remedy
          (setq ide-companion--wanted nil) ; no other try helps
          (error "%s" remedy))
        (let ((process (ide-companion--start-process (car roots)))
              (started-at (float-time)))
          (setq ide-companion--roots roots
                ide-companion--process process
                ide-companion--connection
                (ide-companion--make-connection
                 process
                 :request-dispatcher #'ide-companion--on-request
                 :notification-dispatcher #'ide-companion--on-notification
                 :on-shutdown (lambda (connection)
                                (ide-companion--on-end connection process started-at)))))
        (let ((connection ide-companion--connection))
          (ide-companion--ask :initialize (ide-companion--initialize-params roots)
                              (lambda (answer failure)
                                (ide-companion--on-initialized connection answer failure)))))
    (error
     (ide-companion--update-lighter)
     (ide-companion--say "ide-companion cannot be started: %s. See M-x ide-companion-doctor"
                         (error-message-string failure)))))

(defun ide-companion--plugin-answer (answer)
  "The part for plugins in the program's ANSWER to `initialize', or nil."
  (plist-get (plist-get (plist-get answer :capabilities) :experimental) :ideCompanion))

(defun ide-companion--on-initialized (connection answer failure)
  "CONNECTION's program has given an ANSWER, or a FAILURE."
  (when (eq connection ide-companion--connection)
    (cond
     (failure
      (ide-companion--say "ide-companion: %s" failure))
     ((not (ide-companion--plugin-answer answer))
      (setq ide-companion--wanted nil)
      (ide-companion--say "%s is too old for this package: npm install --global ide-companion"
                          (car ide-companion-command))
      (delete-process ide-companion--process))
     (t
      (ide-companion--notify :initialized (make-hash-table))
      (setq ide-companion--initialized t
            ide-companion--agents (append (plist-get (ide-companion--plugin-answer answer) :agents) nil)
            ide-companion--sent nil)
      (ide-companion--on-files)))))

(defun ide-companion--on-end (connection process started-at)
  "CONNECTION has ended with PROCESS, which was STARTED-AT."
  (ide-companion--tidy connection process)
  (when (eq connection ide-companion--connection)
    (setq ide-companion--connection nil
          ide-companion--process nil
          ide-companion--initialized nil)
    (ide-companion--set-status nil)
    (let ((code (process-exit-status process)))
      (ide-companion--orphan)
      (ide-companion--log (format "the server has ended with %d" code))
      (when ide-companion--wanted
        (ide-companion--restart-later code (- (float-time) started-at))))))

(defun ide-companion--restart-later (code ran)
  "Start the program again, which has ended with CODE after it RAN some seconds."
  (when (> ran ide-companion--stable)
    (setq ide-companion--delay (car ide-companion--delays)))
  (ide-companion--say "ide-companion has ended with %d, starting it again in %d s"
                      code ide-companion--delay)
  (setq ide-companion--restart-timer
        (run-with-timer ide-companion--delay nil
                        (lambda ()
                          (setq ide-companion--restart-timer nil)
                          (ide-companion--on-files)))
        ide-companion--delay (min (* 2 ide-companion--delay) (cdr ide-companion--delays))))

(defun ide-companion--follow-roots ()
  "Start the program with the first folder, and send it every other folder."
  (let ((roots (ide-companion--current-roots))
        (before ide-companion--roots))
    (cond
     ((null roots))
     ((ide-companion--ready-p)
      (unless (equal roots before)
        (setq ide-companion--roots roots)
        (ide-companion--notify
         :workspace/didChangeWorkspaceFolders
         (list :event (list :added (ide-companion--workspace-folders roots)
                            :removed (ide-companion--workspace-folders before))))))
     ((and ide-companion--wanted (not ide-companion--connection) (not ide-companion--restart-timer))
      (ide-companion--connect roots)))))

(add-hook 'ide-companion--files-changed-hook #'ide-companion--follow-roots)

;;;###autoload
(defun ide-companion-start ()
  "Start the program, which `ide-companion-mode' does with the first file."
  (interactive)
  (if (not ide-companion-mode)
      (ide-companion-mode 1)
    (ide-companion--stop-waiting)
    (setq ide-companion--wanted t)
    (ide-companion--on-files)))

(defun ide-companion--stop-waiting ()
  "Cancel a later start of the program."
  (when ide-companion--restart-timer
    (cancel-timer ide-companion--restart-timer)
    (setq ide-companion--restart-timer nil))
  (setq ide-companion--delay (car ide-companion--delays)))

(defun ide-companion-stop ()
  "Stop the program until the next start."
  (interactive)
  (setq ide-companion--wanted nil)
  (ide-companion--stop-waiting)
  (when ide-companion--connection
    (if (not (ide-companion--ready-p))
        (delete-process ide-companion--process)
      (let ((connection ide-companion--connection))
        (ide-companion--ask :shutdown nil
                            (lambda (&rest _)
                              (when (jsonrpc-running-p connection)
                                (jsonrpc-notify connection :exit nil))))))))

(defun ide-companion--await-end (process seconds)
  "Wait until PROCESS has ended, SECONDS at most."
  (with-timeout (seconds)
    (while (process-live-p process)
      (accept-process-output process 0.05))))

(defun ide-companion--on-exit ()
  "Emacs ends: wait until the program has notified its agents."
  (when (ide-companion--ready-p)
    (let ((process ide-companion--process))
      (setq ide-companion--wanted nil)
      (ide-companion--send-drafts)
      (ide-companion--notify :exit nil)
      (ide-companion--await-end process 1))))

(defun ide-companion-restart ()
  "Stop the program and start it.  Agents connect again by `/ide'."
  (interactive)
  (let ((process ide-companion--process))
    (ide-companion-stop)
    (when process
      (ide-companion--await-end process 2)
      (when (process-live-p process) (delete-process process)))
    (ide-companion-start)))

(provide 'ide-companion-server)
;;; ide-companion-server.el ends here
