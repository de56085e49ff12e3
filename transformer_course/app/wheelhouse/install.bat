@echo off
rem Install the course from the folder that contains this file, without a network: install.bat [FOLDER]
setlocal
set "here=%~dp0"
set "folder=%~1"
if "%folder%"=="" set "folder=%USERPROFILE%\transformer-course"
call :install
set "status=%errorlevel%"
rem After a double-click, the window would otherwise close before anyone can read it.
pause
exit /b %status%

:install
set "found="
for %%v in (MINORS) do if not defined found py -3.%%v -c "" >nul 2>nul && set "found=py -3.%%v"
if not defined found python -c "import sys; sys.exit(str(sys.version_info[1]) not in 'MINORS'.split())" >nul 2>nul && set "found=python"
if not defined found (
    echo No suitable Python was found. Install one of these versions, then try again: PYTHONS
    exit /b 1
)
%found% -m venv "%folder%\.venv" || exit /b 1
echo Installing the course in %folder% (this takes a few minutes)...
set "python=%folder%\.venv\Scripts\python"
set "from=--quiet --disable-pip-version-check --no-index --find-links "%here%wheels" --constraint "%here%constraints.txt""
"%python%" -m pip install %from% transformer-course || exit /b 1
rem An update can have the same version number.
"%python%" -m pip install %from% --no-deps --force-reinstall transformer-course || exit /b 1
cd /d "%folder%"
echo Installed. Now testing everything the course needs...
.venv\Scripts\transformer-course doctor
set "status=%errorlevel%"
if not "%status%"=="0" (
    echo The course is installed; you do not need to install it again. Follow the advice below each line marked !!, then run:
    echo             cd /d "%folder%" and .venv\Scripts\transformer-course doctor
)
echo To start the course: cd /d "%folder%" and .venv\Scripts\transformer-course lab
echo If your instructor gave you a folder, put it next to .venv (in %folder%), then run this with its name in place of FOLDER:
echo             cd /d "%folder%" and .venv\Scripts\transformer-course lab FOLDER
exit /b %status%
